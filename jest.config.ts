import type { Config } from 'jest';

const moduleNameMapper = {
  '^toolwright$': '<rootDir>/src/index.ts',
  '^toolwright/ai-sdk$': '<rootDir>/src/ai-sdk/index.ts',
  '^toolwright/testing$': '<rootDir>/src/testing/index.ts',
  '^toolwright/testing/jest$': '<rootDir>/src/testing/jest.ts',
  '^toolwright/toolsets$': '<rootDir>/src/toolsets/index.ts',
  '^toolwright/sessions$': '<rootDir>/src/sessions/index.ts',
};

/** The compilers write different metadata, so what depends on reflected types runs under each of them. */
const DEPENDS_ON_REFLECTION = ['<rootDir>/tests/**/*.reflect.test.ts'];

// Every spec has the kit's matchers, may not ask a real model, and fails when a script was not played to its end.
const setupFilesAfterEnv = ['<rootDir>/src/testing/jest.ts'];

// Bounds a test that hangs; a busy machine must not fail one that works. For all projects at once: a project's own is not heard.
const testTimeout = 60_000;

// The specs of the real engine belong to `npm run test:llama`, which installs it and says where it is.
const testPathIgnorePatterns = ['/node_modules/', ...(process.env['LLAMA_ENGINE'] === undefined ? ['llama\\.test\\.ts$'] : [])];

const common = {
  testEnvironment: 'node',
  moduleNameMapper,
  setupFilesAfterEnv,
  testPathIgnorePatterns,
  rootDir: '.',
} as const;

const config: Config = {
  testTimeout,
  projects: [
    {
      ...common,
      displayName: 'isolated',
      testMatch: ['<rootDir>/tests/**/*.test.ts', '<rootDir>/samples/**/*.test.ts'],
      transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.jest.json' }] },
    },
    {
      ...common,
      displayName: 'full',
      testMatch: DEPENDS_ON_REFLECTION,
      transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
    },
    {
      ...common,
      displayName: 'swc',
      testMatch: DEPENDS_ON_REFLECTION,
      transform: {
        '^.+\\.ts$': [
          '@swc/jest',
          {
            jsc: {
              target: 'es2022',
              parser: { syntax: 'typescript', decorators: true },
              transform: { legacyDecorator: true, decoratorMetadata: true },
            },
            module: { type: 'commonjs' },
          },
        ],
      },
    },
  ],
};

export default config;
