// Installs the dependencies where they are missing or older than the lock file, so that one command is enough on a fresh clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.installed`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');

const npm = (...args) =>
  spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  }).status === 0;

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  // On top of what is there, only what differs is fetched; a fresh clone gets exactly what the lock file says.
  const install = existsSync(`${root}node_modules`) ? ['install', '--no-save'] : ['ci'];
  console.error(`Installing the dependencies (npm ${install[0]}) ...`);
  if (!npm(...install)) {
    console.error('Trying again without building native code: all but the tests of SQLite sessions (better-sqlite3) works without it.');
    if (!npm(...install, '--ignore-scripts')) process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
