import type { Config } from 'jest';

const moduleNameMapper = {
  '^toolwright$': '<rootDir>/src/index.ts',
  '^toolwright/testing$': '<rootDir>/src/testing/index.ts',
  '^toolwright/testing/jest$': '<rootDir>/src/testing/jest.ts',
};

/** The compilers write different metadata, so what depends on reflected types runs under each of them. */
const DEPENDS_ON_REFLECTION = ['<rootDir>/tests/**/*.reflect.test.ts'];

const common = { testEnvironment: 'node', moduleNameMapper, rootDir: '.' } as const;

const config: Config = {
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
