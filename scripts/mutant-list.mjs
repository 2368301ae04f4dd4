// What the suite must notice: each entry breaks one promise in the sources, and names the tests that are to fail for it.
// `find` must stand in the file exactly once. The mutated file need not type-check, but it must run.

const GATE = 'src/invocation';

export const MUTANTS = [
  {
    name: 'skip decoding',
    file: `${GATE}/call-arguments.ts`,
    find: 'const decoded = tool.definition.contract.decode(value);',
    put: 'const decoded = { ok: true, value } as Decoded;',
    tests: ['tests/invocation/arguments.test.ts', 'tests/runner/safety.test.ts'],
  },
  {
    name: 'skip defaults',
    file: 'src/schema/decode-object.ts',
    find: 'else if (field.fallback !== undefined) read[field.property] = field.fallback.fresh();',
    put: 'else if (field.fallback !== undefined) continue;',
    tests: ['tests/schema/decode.test.ts'],
  },
  {
    name: 'accept unknown keys',
    file: 'src/schema/decode-object.ts',
    find: 'if (taken < Object.keys(value).length) refuseUnknown(value, known, walk);',
    put: '',
    tests: ['tests/schema/decode.test.ts'],
  },
  {
    name: 'drop a result',
    file: 'src/runner/turn-batch.ts',
    find: 'return [message, ...answers];',
    put: 'return [message, ...(answers.length > 1 ? answers.slice(0, -1) : answers)];',
    tests: ['tests/runner/turn-results.test.ts'],
  },
  {
    name: 'swap two results',
    file: 'src/runner/turn-batch.ts',
    find: 'return [message, ...answers];',
    put: 'return [message, ...answers.toReversed()];',
    tests: ['tests/runner/turn-results.test.ts'],
  },
  {
    name: 'swap what two results say',
    file: 'src/runner/turn-batch.ts',
    find: 'return [message, ...answers];',
    put: 'return [message, ...answers.map((one, at) => ({ ...one, parts: answers.at(-1 - at)!.parts }))];',
    tests: ['tests/runner/turn-results.test.ts'],
  },
  {
    name: 'answer a call twice',
    file: 'src/runner/turn-batch.ts',
    find: 'return [message, ...answers];',
    put: 'return [message, ...answers, ...answers.slice(-1)];',
    tests: ['tests/runner/turn-results.test.ts'],
  },
  {
    name: 'ignore a denial',
    file: `${GATE}/ask-approval.ts`,
    find: "if (decision === false || decision === 'deny') return { says: 'deny', text: refusedBy(undefined), reason: 'approval' };",
    put: "if (decision === false || decision === 'deny') return { says: 'approve' };",
    tests: ['tests/runner/safety.test.ts', 'tests/invocation/judgement.test.ts'],
  },
  {
    name: "ignore a policy's denial",
    file: `${GATE}/judge-call.ts`,
    find: "if (verdict.says !== 'deny') return verdict.says;",
    put: "return verdict.says === 'deny' ? 'nothing' : verdict.says;",
    tests: ['tests/runner/safety.test.ts'],
  },
  {
    name: 'ignore a thrown approver',
    file: `${GATE}/ask-approval.ts`,
    find: "verdict = { says: 'deny', text: FAILED, reason: 'approval', error: errorFacts(error) };",
    put: "verdict = { says: 'approve' };",
    tests: ['tests/invocation/judgement.test.ts'],
  },
  {
    name: 'let a hook skip policy',
    file: `${GATE}/judge-call.ts`,
    find: 'const policy = await hearPolicies(heard, context, scope);',
    put: "const policy = heard === asked ? await hearPolicies(heard, context, scope) : 'nothing';",
    tests: ['tests/invocation/judgement.test.ts', 'tests/runner/safety.test.ts'],
  },
  {
    name: 'run an edited call unvalidated',
    file: `${GATE}/judge-call.ts`,
    find: 'const edited = await decodeChanged(value, heard, heard.tool, scope);',
    put: 'const edited = { ok: true, args: value, shown: value } as ReadArguments;',
    tests: ['tests/invocation/judgement.test.ts'],
  },
  {
    name: 'ignore `timeout`',
    file: `${GATE}/execute.ts`,
    find: 'const ms = Math.min(this.tool.behaviour.timeout ?? this.scope.ceiling, this.timeLeft);',
    put: 'const ms = this.scope.ceiling;',
    tests: ['tests/invocation/execution.test.ts'],
  },
  {
    name: 'retry a mutating tool',
    file: 'src/tools/tool-options-reader.ts',
    find: 'retries: given.retries ?? (repeatable ? 1 : 0),',
    put: 'retries: given.retries ?? 1,',
    tests: ['tests/runner/repeated-calls.test.ts'],
  },
  {
    name: 'repeat a mutating tool whose time was up',
    file: `${GATE}/retry.ts`,
    find: "if (ended.how === 'expired') return behaviour.annotations.readOnly === true || behaviour.annotations.idempotent === true;",
    put: "if (ended.how === 'expired') return true;",
    tests: ['tests/invocation/execution.test.ts'],
  },
  {
    name: 'ignore `lock`',
    file: `${GATE}/execute.ts`,
    find: 'if (lock === undefined) return undefined;',
    put: 'return undefined;',
    tests: ['tests/invocation/execution.test.ts'],
  },
  {
    name: 'ignore `sequential`',
    edits: [
      {
        file: `${GATE}/batch.ts`,
        find: "if (!parallel || (prepared.kind === 'ready' && prepared.tool.definition.behaviour.sequential)) await this.flush();",
        put: 'if (!parallel) await this.flush();',
      },
      {
        file: `${GATE}/batch.ts`,
        find: `    if (this.group.length === 0) return false;
    const definition = findTool(call.name, this.scope.tools)?.definition;
    if (definition === undefined) return false;
    if (definition.behaviour.sequential) return true;`,
        put: `    if (this.group.length === 0) return false;
    const definition = findTool(call.name, this.scope.tools)?.definition;
    if (definition === undefined) return false;`,
      },
    ],
    tests: ['tests/invocation/batch.test.ts'],
  },
  {
    name: 'let others begin beside a `sequential` call',
    file: `${GATE}/batch.ts`,
    find: "if (!parallel || (prepared.kind === 'ready' && prepared.tool.definition.behaviour.sequential)) await this.flush();",
    put: 'if (!parallel) await this.flush();',
    tests: ['tests/invocation/batch.test.ts'],
  },
  {
    name: 'apply state updates to the snapshot',
    file: `${GATE}/batch.ts`,
    find: 'if (result.fatal !== undefined) this.fatal ??= result.fatal;',
    put: `if (result.fatal !== undefined) this.fatal ??= result.fatal;
    const { applyOperations } = require('./state-operations') as typeof import('./state-operations');
    const { state } = applyOperations(this.scope.state, result.operations);
    Object.defineProperty(this.scope, 'state', { value: state, configurable: true });`,
    tests: ['tests/runner/conversation.test.ts'],
  },
  {
    name: "leak a sibling's tool",
    file: 'src/metadata/facts.ts',
    find: 'return Object.hasOwn(cls, FACTS) ? (cls as { [FACTS]?: Entry })[FACTS] : undefined;',
    put: 'return (cls as { [FACTS]?: Entry })[FACTS];',
    tests: ['tests/tools/resolve-tools.reflect.test.ts'],
  },
  {
    name: 'count a limit after the batch',
    file: 'src/runner/advance.ts',
    find: 'if (exceedsToolCalls(state, realCalls)) return',
    put: 'if (exceedsToolCalls(state, 0)) return',
    tests: ['tests/runner/limits.test.ts'],
  },
  {
    name: 'count `maxCalls` after the batch',
    file: `${GATE}/earlier-calls.ts`,
    find: 'return { repairs, executions: executions + (this.running.get(tool) ?? 0) };',
    put: 'return { repairs, executions: this.scope.tally(tool).executions };',
    tests: ['tests/invocation/batch.test.ts'],
  },
  {
    name: 'send `details`',
    file: `${GATE}/read-result.ts`,
    find: 'isError: result.isError === true,',
    put: `isError: result.isError === true,
    ...(result.details === undefined ? undefined : { parts: [...said.parts, { type: 'json', value: toPlain(result.details) }] as Part[] }),`,
    tests: ['tests/invocation/results.test.ts'],
  },
  {
    name: 'leave the abort listener',
    file: `${GATE}/abort-watch.ts`,
    find: "if (listeners.delete(listener) && listeners.size === 0) signal.removeEventListener('abort', watch);",
    put: 'listeners.delete(listener);',
    tests: ['tests/invocation/execution.test.ts', 'tests/runner/abort.test.ts'],
  },
  {
    name: 'reuse an idempotency key',
    file: `${GATE}/call-context.ts`,
    find: 'return `${this.scope.runId}:${this.call.turn}:${this.call.index}`;',
    put: 'return `${this.scope.runId}:${this.call.turn}`;',
    tests: ['tests/runner/repeated-calls.test.ts'],
  },
  {
    name: 'reuse an idempotency key in the next turn',
    file: `${GATE}/call-context.ts`,
    find: 'return `${this.scope.runId}:${this.call.turn}:${this.call.index}`;',
    put: 'return `${this.scope.runId}:${this.call.index}`;',
    tests: ['tests/runner/repeated-calls.test.ts'],
  },
  {
    name: "show an unexpected error's text",
    file: `${GATE}/execute.ts`,
    find: 'unexpectedText(this.tool, this.attempts > 0, exposeErrors ? withoutSecrets(about.message) : undefined)',
    put: 'unexpectedText(this.tool, this.attempts > 0, about.message)',
    tests: ['tests/invocation/execution.test.ts', 'tests/runner/safety.test.ts'],
  },
  {
    name: 'skip the taint gate on the second call of a batch',
    file: `${GATE}/batch.ts`,
    find: "({ kind, tool }) => (kind === 'ready' || kind === 'deferred') && tool !== undefined && mayBringForeign(tool.definition),",
    put: '() => false,',
    tests: ['tests/invocation/batch.test.ts', 'tests/trust/taint.test.ts'],
  },
  {
    name: 'skip the taint gate on a call that was held back',
    file: `${GATE}/batch.ts`,
    find: 'await judgeTaint(held, this.scope, this.earlier);',
    put: 'held;',
    tests: ['tests/trust/taint.test.ts'],
  },
  {
    name: 'skip the taint gate in turn',
    file: `${GATE}/judge-call.ts`,
    find: 'const gated = scope.tainted && (await taintDecides(heard, context, scope));',
    put: 'const gated = scope.tainted && earlier.foreignFacts().from.length === 0 && (await taintDecides(heard, context, scope));',
    tests: ['tests/invocation/batch.test.ts', 'tests/trust/taint.test.ts'],
  },
];
