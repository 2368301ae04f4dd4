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
/** The rooms within runner/: what one of them may import of runner/. The loop is plain data, and knows nobody. */
const RUNNER_ROOMS = {
  loop: [],
  conversation: [],
  paging: [],
  signals: ['loop'],
  answer: ['loop', 'signals', 'conversation'],
  persistence: ['loop', 'signals', 'conversation'],
  recording: ['signals'],
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
    ...Object.entries(RUNNER_ROOMS).map(([room, others]) => ({
      name: `room-runner-${room}`,
      severity: 'error',
      comment: `runner/${room}/ may import of runner/ ${others.join(', ') || 'nothing'}.`,
      from: { path: `^src/runner/${room}/` },
      to: { path: '^src/runner/', pathNot: `^src/runner/(${[room, ...others].join('|')})/` },
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
