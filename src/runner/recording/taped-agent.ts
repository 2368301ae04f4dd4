import type { Guardrail } from '../../agent/guardrails';
import type { Hooks } from '../../agent/hooks';
import type { PreparedAgent } from '../../agent/prepared-agent';
import type { Interruption } from '../signals/interruption';
import type { Tape } from './tape';

/** Hooks around the run and its model calls; those around tools are part of the calls. */
const AROUND = ['onRunStart', 'beforeModel', 'afterModel', 'onRunEnd'] as const;
const WITHIN = ['beforeTool', 'onToolStart', 'afterTool'] as const;

const taped = new WeakMap<Tape, WeakMap<Hooks, Hooks>>();

/** The agent with the host's code around its run on the tape: guardrails and hooks. */
export function tapedAgent(agent: PreparedAgent, tape: Tape, interruption: Interruption): PreparedAgent {
  const { hooks, guardrails } = agent;
  return Object.freeze({
    ...agent,
    hooks: hooks.map((one) => tapedHooks(one, tape, interruption)),
    guardrails: {
      input: guardrails.input.map((one) => tapedGuardrail(one, tape, interruption)),
      output: guardrails.output.map((one) => tapedGuardrail(one, tape, interruption)),
    },
  });
}

function tapedGuardrail(guardrail: Guardrail, tape: Tape, interruption: Interruption): Guardrail {
  return (text, context) =>
    tape.step(
      'guardrail',
      () => text,
      () => interruption.race((async () => guardrail(text, context))()),
    );
}

/** The same for the same hooks, since two agents of a run may share them. */
function tapedHooks(hooks: Hooks, tape: Tape, interruption: Interruption): Hooks {
  let known = taped.get(tape);
  if (known === undefined) taped.set(tape, (known = new WeakMap()));
  let made = known.get(hooks);
  if (made === undefined) known.set(hooks, (made = onTape(hooks as Methods, tape, interruption)));
  return made;
}

type Methods = { readonly [name: string]: ((...args: unknown[]) => unknown) | undefined };

function onTape(hooks: Methods, tape: Tape, interruption: Interruption): Hooks {
  const made: Record<string, unknown> = {};
  for (const name of AROUND) {
    if (typeof hooks[name] !== 'function') continue;
    const call = async (args: unknown[]): Promise<unknown> => hooks[name]?.(...args);
    made[name] = (...args: unknown[]) =>
      tape.step(
        name,
        () => null,
        // A run that is aborted leaves them behind at once, but for those that are to hear of its end.
        () => (name === 'onRunEnd' ? call(args) : interruption.race(call(args))),
      );
  }
  for (const name of WITHIN) if (typeof hooks[name] === 'function') made[name] = (...args: unknown[]) => hooks[name]?.(...args);
  return made;
}
