import { createServer } from 'node:http';

// A server in a process of its own, which keeps connections open.
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('alive'));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
