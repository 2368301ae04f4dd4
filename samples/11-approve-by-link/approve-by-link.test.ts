import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '../programs';
import { linkFor, readLink } from './link';

const ask = program(join(__dirname, 'ask.ts'));
const answer = program(join(__dirname, 'answer.ts'));
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'approve-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => [ask, answer].forEach(({ remove }) => remove()));

const books = () => join(folder, 'refunds.txt');
const refunds = () => (existsSync(books()) ? readFileSync(books(), 'utf8').trim().split('\n') : []);

async function asked(): Promise<string> {
  const { code, output } = await ask.start([folder, 'ticket-1', books()]).ended;
  expect([code, output]).toEqual([0, expect.stringContaining('Refund the whole order A-17')]);
  expect(refunds()).toEqual([]);
  return output.trim().split('\n').at(-1)!;
}

const answered = (link: string, word: string) => answer.start([link, word, folder, books()]).ended;

test('one process asks, another brings the approval, and the refund happens once', async () => {
  const link = await asked();
  const two = await Promise.all([answered(link, 'approve'), answered(link, 'approve')]);
  expect(two.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(two.find(({ code }) => code === 1)!.output).toMatch(/SessionBusyError|SessionError/);
  expect((await answered(link, 'approve')).code).toBe(1);
  expect(refunds()).toHaveLength(1);
}, 60_000);

test('a link that was changed decides nothing, a denial refunds nothing', async () => {
  const link = await asked();
  const forged = linkFor({ ...readLink(link), callId: 'another' });
  expect((await answered(link.replace('&s=', '&s=x'), 'approve')).output).toMatch(/not one of ours/);
  expect((await answered(forged, 'approve')).output).toMatch(/DecisionError/);
  expect((await answered(link, 'deny')).code).toBe(0);
  expect(refunds()).toEqual([]);
}, 60_000);
