// The chat completions API over the real llama.cpp engine: as little as it takes, so that what is tested is the engine's. Calls are bound to
// the tools' schemas by its grammar; what a random model says between its bounds is noise. Its arguments: the engine's folder, the model's file.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [home, file] = process.argv.slice(2);
const entry = createRequire(`${home}/package.json`).resolve('node-llama-cpp');
const { getLlama, LlamaCompletion } = await import(pathToFileURL(entry).href);

// One thread: on a busy machine more of them wait for each other.
const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1, logLevel: 'error' });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: 4096 });
const completion = new LlamaCompletion({ contextSequence: context.getSequence() });
const grammars = new Map();
let turn = Promise.resolve();

const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

async function answer(body, response) {
  const { messages, tools = [], max_tokens: maxTokens = 60 } = body;
  const asked = messages.filter(({ role }) => role === 'assistant').length;
  const prompt = JSON.stringify(messages).slice(-1500);
  let tokens = 0;
  const say = async (grammar, write) => {
    const options = { maxTokens: grammar === undefined ? maxTokens : 1200, temperature: 1, seed: asked + 7, ...(grammar && { grammar }) };
    // Each token of this model is one byte.
    await completion.generateCompletion(prompt, { ...options, onTextChunk: (text) => ((tokens += 1), response.write(write(text))) });
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const tool = body.tool_choice === 'none' ? undefined : tools[asked];
  if (tool === undefined) {
    await say(undefined, (content) => chunk({ content }));
    response.write(chunk({}, 'stop'));
  } else {
    const { name, parameters } = tool.function;
    if (!grammars.has(name)) grammars.set(name, await llama.createGrammarForJsonSchema(parameters));
    response.write(chunk({ tool_calls: [{ index: 0, id: `call_${asked}`, type: 'function', function: { name, arguments: '' } }] }));
    await say(grammars.get(name), (text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] }));
    response.write(chunk({}, 'tool_calls'));
  }
  response.write(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: prompt.length, completion_tokens: tokens } })}\n\n`);
  response.end('data: [DONE]\n\n');
}

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (piece) => (text += piece));
  request.on('end', () => {
    // One answer after the other: there is one sequence.
    turn = turn.then(() =>
      answer(JSON.parse(text), response).catch((error) => {
        if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: String(error) } }));
      }),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
