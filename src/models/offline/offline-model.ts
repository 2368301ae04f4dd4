import type { Message } from '../../types/message';
import type { Model, ModelCapabilities, ModelChunk, ModelRequest } from '../model';

const CAPABILITIES: ModelCapabilities = Object.freeze({
  tools: true,
  parallelToolCalls: false,
  jsonSchema: false,
  strict: false,
  images: false,
  reasoning: false,
});

/**
 * A small deterministic model that runs in the process: no key, no network, no weights. It is for demos and smoke tests.
 *
 * It matches words: it calls the tool whose name, description and parameters fit the question, fills arguments by type,
 * and quotes the lines of the results that share words with the question. It says so in every answer.
 * @example await new AgentRunner({ model: offlineModel() }).run(FilesAgent, 'Which file defines AgentRunner?')
 */
export function offlineModel(): Model {
  return { name: 'offline:', capabilities: CAPABILITIES, stream };
}

async function* stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
  request.signal.throwIfAborted();
  // Loaded when it is first asked: most processes have another model.
  const { nextStep } = await import('./next-step');
  const step = nextStep(request);
  if (step.kind === 'call') {
    yield { type: 'call', index: 0, id: `call_${callCount(request.messages) + 1}`, name: step.tool };
    yield { type: 'call', index: 0, arguments: JSON.stringify(step.arguments) };
  } else {
    for (const [text] of step.text.matchAll(/\s*\S+\s*?(?=\s|$)|\s+/g)) {
      request.signal.throwIfAborted();
      yield { type: 'text', text };
    }
  }
  yield { type: 'end', finish: step.kind === 'call' ? 'tool_calls' : 'stop' };
}

function callCount(messages: readonly Message[]): number {
  return messages.reduce((count, message) => count + (message.role === 'assistant' ? message.calls.length : 0), 0);
}
