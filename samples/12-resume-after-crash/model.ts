import { callTool, functionModel, say } from 'toolwright/testing';

// A model that does the same each time, so that the sample shows nothing but the crash. Write 'openai:gpt-5-mini' for a real one.
export const model = functionModel(({ messages }) => {
  const results = messages.filter(({ role }) => role === 'tool');
  if (results.length === 0) return callTool('import_customers');
  if (results.length === 1) return callTool('send_report');
  const unknown = results.some((result) => result.role === 'tool' && result.outcome === 'unsettled');
  return say(
    unknown ? 'Imported. Please look whether the report went out: the process stopped while it was sent.' : 'Imported and reported.',
  );
});
