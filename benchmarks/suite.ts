import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from './measure';

const ROOT = join(__dirname, '..');
const FILES = 20;
const TESTS_PER_FILE = 25;
const CORES = 2;

const JEST_CONFIG = {
  testEnvironment: 'node',
  setupFilesAfterEnv: [join(ROOT, 'dist/testing/jest.js')],
  moduleNameMapper: {
    '^toolwright$': join(ROOT, 'dist/index.js'),
    '^toolwright/testing$': join(ROOT, 'dist/testing/index.js'),
    '^toolwright/testing/jest$': join(ROOT, 'dist/testing/jest.js'),
  },
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }] },
};

const COMPILER = {
  compilerOptions: {
    target: 'ES2022',
    module: 'commonjs',
    isolatedModules: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
  },
};

/** A file of a user's suite: an agent with a service, and tests that are each a run of two requests and a call. */
const specOf = (file: number): string => `
import 'reflect-metadata';
import { Service } from 'typedi';
import { Agent, AgentConfig, Param, Tool } from 'toolwright';
import { callTool, createTestRunner, say, scripted } from 'toolwright/testing';

@Service()
class Forecasts {
  at(_city: string): Promise<number> {
    return Promise.reject(new Error('No network in a test.'));
  }
}

@AgentConfig({ instructions: 'You answer questions about the weather.' })
class WeatherAgent extends Agent {
  constructor(private readonly forecasts: Forecasts) {
    super();
  }
  @Tool('Current weather for a city.')
  currentWeather(@Param('city', 'City name') city: string): Promise<number> {
    return this.forecasts.at(city);
  }
}

describe('the weather agent, ${file}', () => {
  test.each(Array.from({ length: ${TESTS_PER_FILE} }, (_, degrees) => degrees))('tells %i degrees', async (degrees) => {
    const runner = createTestRunner({
      model: scripted([callTool('current_weather', { city: 'Oslo' }), say(\`It is \${degrees} degrees.\`)]),
      overrides: [{ provide: Forecasts, useValue: { at: async () => degrees } }],
    });
    const result = await runner.run(WeatherAgent, 'Coat in Oslo?');
    expect(result).toHaveCalledTool('current_weather', { city: 'Oslo' });
    expect(result).toHaveStopReason('completed');
    expect(result).toHaveValidTranscript();
    expect(result.text).toBe(\`It is \${degrees} degrees.\`);
  });
});
`;

/** How long a suite of 500 tests of agents takes under Jest, from the command to its end, once it is compiled. */
export function suiteOfAgents(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-suite-'));
  try {
    mkdirSync(join(folder, 'tests'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'suite', private: true, jest: JEST_CONFIG }));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
    for (let file = 0; file < FILES; file++) writeFileSync(join(folder, 'tests', `weather-${file}.test.ts`), specOf(file));
    runSuite(folder);
    const seconds = Math.min(runSuite(folder), runSuite(folder));
    return report(`${FILES * TESTS_PER_FILE} tests of agents under Jest, compiled before`, seconds, 10, ' s', `${CORES} workers`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runSuite(folder: string): number {
  const began = performance.now();
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const args = [jest, `--maxWorkers=${CORES}`, '--cacheDirectory', join(folder, 'cache')];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0 || !stderr.includes(`${FILES * TESTS_PER_FILE} passed`)) throw new Error(`The suite did not pass.\n${stderr}`);
  return (performance.now() - began) / 1000;
}
