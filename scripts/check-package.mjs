// Packs the package as it would be published, has it judged, installs it into an empty folder and uses it from CommonJS and from ESM.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'toolwright-package-'));
const run = (command, args, cwd = root) => execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const AGENT = `
class Clock { now() { return 'noon'; } }
class TimeAgent extends Agent {
  constructor(clock) { super(); this.clock = clock; }
  tell() { return this.clock.now(); }
}
Tool('What time it is.')(TimeAgent.prototype, 'tell', Object.getOwnPropertyDescriptor(TimeAgent.prototype, 'tell'));
Reflect.defineMetadata('design:paramtypes', [], TimeAgent.prototype, 'tell');
Reflect.defineMetadata('design:paramtypes', [], Clock);
Reflect.defineMetadata('design:paramtypes', [Clock], TimeAgent);
AgentConfig({ instructions: 'Tell the time.' })(TimeAgent);
const runner = createTestRunner({ model: scripted([callTool('tell'), say('It is noon.')]) });
runner.run(TimeAgent, 'What time is it?').then((result) => {
  if (result.text !== 'It is noon.' || result.toolCalls[0].outcome !== 'ok') throw new Error('unexpected result: ' + JSON.stringify(result));
  console.log('ok');
});
`;
const NAMES = {
  toolwright: 'Agent, AgentConfig, Tool',
  'toolwright/testing': 'createTestRunner, scripted, callTool, say',
  'toolwright/toolsets': 'FileTools',
  'toolwright/sessions': 'MemorySessions',
  'toolwright/ai-sdk': 'aiSdkModel',
};

try {
  run('npm', ['run', '--silent', 'build']);
  const packed = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work]));
  const tarball = join(work, (Array.isArray(packed) ? packed[0] : Object.values(packed)[0]).filename);
  console.log(run('npx', ['publint', 'run', tarball, '--strict']).trim());
  // TypeScript's node10 resolution knows no `exports`, and its current versions no longer offer it.
  console.log(run('npx', ['attw', tarball, '--profile', 'node16', '--format', 'ascii', '--no-color']).trim());

  const app = join(work, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', tarball, 'reflect-metadata@0.2.2', 'typedi@0.10.0'], app);
  writeFileSync(
    join(app, 'use.cjs'),
    Object.entries(NAMES)
      .map(([from, names]) => `const { ${names} } = require('${from}');\n`)
      .join('') + AGENT,
  );
  writeFileSync(
    join(app, 'use.mjs'),
    Object.entries(NAMES)
      .map(([from, names]) => `import { ${names} } from '${from}';\n`)
      .join('') + AGENT,
  );
  for (const file of ['use.cjs', 'use.mjs']) {
    const said = run(process.execPath, [file], app).trim();
    if (said !== 'ok') throw new Error(`${file} said ${said}`);
    console.log(`installed package, ${file}: ${said}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
