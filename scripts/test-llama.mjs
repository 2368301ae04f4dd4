// Runs the tests that speak to a real engine. It is installed apart from the project's own dependencies: it is large, and a plain install
// of it would fetch builds for graphics cards or compile for an hour.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '3.21.1';
const root = fileURLToPath(new URL('..', import.meta.url));
const home = join(root, '.cache/llama');
const run = (command, args, options = {}) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: root, ...options });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync(join(home, 'node_modules/node-llama-cpp'))) {
  const platform = `@node-llama-cpp/${process.platform === 'darwin' ? `mac-${process.arch}` : `${process.platform === 'win32' ? 'win' : 'linux'}-${process.arch}`}`;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'llama', private: true }));
  run(
    'npm',
    [
      'install',
      '-E',
      '--omit=optional',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `node-llama-cpp@${VERSION}`,
      `${platform}@${VERSION}`,
    ],
    { cwd: home },
  );
}
run('npx', ['jest', '--selectProjects', 'isolated', '--testPathPatterns', 'tests/models/llama'], {
  env: { ...process.env, LLAMA_ENGINE: home },
});
