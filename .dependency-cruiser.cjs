// Who may import whom. An arrow that is not written here is a wall.
const GROUND = ['types', 'errors'];
const ROOMS = {
  types: [],
  errors: ['types'],
  metadata: GROUND,
  schema: [...GROUND, 'metadata'],
  container: [...GROUND, 'metadata'],
  models: GROUND,
  trust: GROUND,
  tools: [...GROUND, 'metadata', 'schema'],
  invocation: [...GROUND, 'tools', 'schema', 'metadata', 'trust', 'container'],
  agent: [...GROUND, 'invocation', 'tools', 'schema', 'metadata', 'models', 'container', 'trust'],
  telemetry: [...GROUND, 'agent', 'invocation', 'tools', 'trust'],
  decorators: [...GROUND, 'metadata', 'tools', 'agent', 'schema'],
  runner: [...GROUND, 'agent', 'invocation', 'tools', 'schema', 'metadata', 'models', 'container', 'trust'],
  toolsets: [...GROUND, 'tools', 'decorators', 'container', 'trust'],
  'ai-sdk': [...GROUND, 'models'],
  sessions: [...GROUND, 'runner'],
  testing: [...GROUND, 'runner', 'agent', 'invocation', 'tools', 'schema', 'metadata', 'models', 'container', 'trust', 'decorators'],
};
const names = Object.keys(ROOMS);

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '^src/(index|sessions/index|toolsets/index|testing/(index|jest))\\.ts$' },
      to: {},
    },
    ...names.map((room) => ({
      name: `room-${room}`,
      severity: 'error',
      comment: `${room}/ may import ${ROOMS[room].join(', ') || 'nothing'}.`,
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(${[room, ...ROOMS[room]].join('|')})/` },
    })),
    {
      name: 'peers-at-the-edge',
      severity: 'error',
      comment: 'openai only in models/, typedi only in container/, the class-* peers and ajv only in schema/.',
      from: { path: '^src/', pathNot: '^src/(models|container|schema)/' },
      to: { path: '^node_modules/(openai|typedi|class-validator|class-transformer|ajv)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    exclude: { path: '^(dist|tests|samples|benchmarks)/' },
  },
};
