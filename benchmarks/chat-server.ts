import { createServer, type ServerResponse } from 'node:http';
import { chatAnswer, chunksAsked, longAnswer } from './chat-answer';

// A chat completions server for the measurements, in a process of its own so that its CPU time counts for nobody.
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunks = chunksAsked(body);
    if (chunks === undefined) response.end(chatAnswer(body));
    else void writeChunks(response, longAnswer(chunks), body.includes('paced'));
  });
});

/** As fast as the connection takes them, or one per turn of the event loop. */
async function writeChunks(response: ServerResponse, pieces: Iterable<string>, paced: boolean): Promise<void> {
  response.socket?.setNoDelay(true);
  for (const piece of pieces) {
    response.write(piece);
    if (paced) await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

server.keepAliveTimeout = 60_000;
// A thousand clients may come at once.
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send?.((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit());
