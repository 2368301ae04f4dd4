import { spawnSync } from 'node:child_process';
import { median } from './measure';

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly bound: number;
  readonly unit: string;
}

const IMPORTS = {
  reflect: `require('reflect-metadata');`,
  toolwright: `require('toolwright');`,
  openai: `new (require('openai'))({ apiKey: 'none' });`,
  ready: `const { AgentRunner, OpenAIChatModel } = require('toolwright');
    require('openai');
    new AgentRunner({ model: new OpenAIChatModel({ model: 'm', apiKey: 'none' }) });`,
};

/** CPU milliseconds and resident megabytes of a fresh process that imports and does nothing else. */
function start(source: string): { cpu: number; megabytes: number } {
  const measured = `${source}
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ cpu: (user + system) / 1000, megabytes: process.memoryUsage().rss / 1e6 }));`;
  const { stdout } = spawnSync(process.execPath, ['-e', measured], { encoding: 'utf8' });
  return JSON.parse(stdout) as { cpu: number; megabytes: number };
}

export function compareColdStart(): Figure[] {
  const rounds = Array.from({ length: 15 }, () => ({
    reflect: start(IMPORTS.reflect),
    toolwright: start(IMPORTS.toolwright),
    openai: start(IMPORTS.openai),
    ready: start(IMPORTS.ready),
  }));
  return [
    {
      name: 'import toolwright over import reflect-metadata, CPU',
      value: median(rounds.map((r) => r.toolwright.cpu - r.reflect.cpu)),
      bound: 25,
      unit: ' ms',
    },
    {
      name: 'ready with the OpenAI model, CPU over importing openai',
      value: median(rounds.map((r) => r.ready.cpu / r.openai.cpu)),
      bound: 1.15,
      unit: '×',
    },
    {
      name: 'ready with the OpenAI model, memory over importing openai',
      value: median(rounds.map((r) => r.ready.megabytes - r.openai.megabytes)),
      bound: 6,
      unit: ' MB',
    },
  ];
}
