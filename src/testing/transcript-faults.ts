import type { Message } from '../types/message';

/** What is wrong with a transcript: each call must have exactly one result, adjacent and in call order, and valid JSON as its arguments. */
export function transcriptFaults(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  let waiting: { readonly id: string; readonly name: string }[] = [];
  const seen = new Set<string>();
  messages.forEach((message, at) => {
    if (message.role === 'tool') {
      const call = waiting.shift();
      if (call === undefined) faults.push(`message ${at}: a result of ${message.name} (${message.callId}) without a call`);
      else if (call.id !== message.callId)
        faults.push(`message ${at}: the result of ${message.callId} stands where that of ${call.id} must stand`);
      else if (call.name !== message.name) faults.push(`message ${at}: the result of ${call.name} is named ${message.name}`);
      return;
    }
    faults.push(...waiting.map((call) => `message ${at}: the call ${call.id} of ${call.name} has no result before it`));
    waiting = [];
    if (message.role !== 'assistant') return;
    for (const call of message.calls) {
      if (seen.has(call.id)) faults.push(`message ${at}: the id ${call.id} was used before`);
      seen.add(call.id);
      if (!isJson(call.arguments)) faults.push(`message ${at}: the arguments of ${call.id} are not valid JSON`);
      waiting.push(call);
    }
  });
  faults.push(...waiting.map((call) => `at the end: the call ${call.id} of ${call.name} has no result`));
  return faults;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
