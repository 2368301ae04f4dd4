import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '../programs';

const main = program(join(__dirname, 'main.ts'));
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'crash-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => main.remove());

const log = () => join(folder, 'work.txt');
const work = () => (existsSync(log()) ? readFileSync(log(), 'utf8').trim().split('\n') : []);

/** Starts the program and kills it as soon as it has begun this piece of work. */
async function killedAt(piece: string): Promise<void> {
  const { child, ended } = main.start([folder, log(), '60000']);
  while (!work().includes(piece)) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await ended;
}

test('killed while it imports: the import is made again, since that does no harm', async () => {
  await killedAt('import');
  const { output } = await main.start([folder, log(), '1']).ended;
  expect(output).toBe('import_customers: ok\nsend_report: ok\nImported and reported.\n');
  expect(work()).toEqual(['import', 'import', 'mail']);
}, 60_000);

test('killed while it sends a mail: the mail is not sent again, and the answer says so', async () => {
  const { child, ended } = main.start([folder, log(), '1500']);
  while (!work().includes('mail')) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await ended;
  const { output } = await main.start([folder, log(), '1']).ended;
  expect(output).toMatch(/^import_customers: ok\nsend_report: unsettled\n.*look whether the report went out/);
  expect(work()).toEqual(['import', 'mail']);
}, 60_000);
