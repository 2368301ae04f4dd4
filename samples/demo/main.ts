import 'reflect-metadata';
import { demo } from './demo';

// Servers on one's own machine need no key, but the client insists on some.
if (process.env.OPENAI_BASE_URL && !process.env.OPENAI_API_KEY) process.env.OPENAI_API_KEY = 'none';

const controller = new AbortController();
// The first Ctrl-C ends the run, a second one the process.
process.once('SIGINT', () => controller.abort(new Error('Interrupted.')));

// A reader that has seen enough, such as `head`, ends the run too.
process.stdout.on('error', () => controller.abort(new Error('The output was closed.')));

void demo(process.argv.slice(2), {
  environment: process.env,
  write: (text) => void process.stdout.write(text),
  signal: controller.signal,
}).then((code) => (process.exitCode = code));
