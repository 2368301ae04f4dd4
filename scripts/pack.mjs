// Makes `dist` of what the compiler wrote. The modules that `import 'toolwright'` loads come in one file, since finding and reading a hundred
// of them takes longer than running them; in their places stand files that point into it. All others, which are loaded when they are first
// needed, stay as they are.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = join(root, '.cache', 'build');
const dist = join(root, 'dist');
const ENTRY = 'index.js';
const PACK = 'pack.js';

const portable = (file) => file.replaceAll('\\', '/');

/** The modules that the entry point loads, in the order in which they are loaded. */
function loadedByEntry() {
  const script = `require(${JSON.stringify(join(compiled, ENTRY))}); console.log(JSON.stringify(Object.keys(require.cache)));`;
  const files = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
  return files.map((file) => portable(relative(compiled, file))).filter((file) => !file.startsWith('..'));
}

const packed = new Set(loadedByEntry());

/** A module's text, in which its requirements are said from the pack's place. */
function textOf(file) {
  const { code } = transformSync(readFileSync(join(compiled, file), 'utf8'), { target: 'node20' });
  return code.replace(/\brequire\("(\.[^"]+)"\)/g, (_, id) => {
    const target = `${posix.join(posix.dirname(file), id)}.js`;
    return packed.has(target) ? `load(${JSON.stringify(target)})` : `require(${JSON.stringify(`./${target}`)})`;
  });
}

/** What a file exports: imports from ES modules learn the names from a line that is never run. */
function namesOf(file) {
  const assigned = readFileSync(join(compiled, file), 'utf8').matchAll(/^exports\.(\w+) =|^Object\.defineProperty\(exports, "(\w+)"/gm);
  return [...new Set([...assigned].map(([, plain, defined]) => plain ?? defined))].filter((name) => name !== '__esModule');
}

function write(file, text) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  writeFileSync(join(dist, file), text);
}

rmSync(dist, { recursive: true, force: true });
for (const file of readdirSync(compiled, { recursive: true }).map(portable)) {
  // What the compiler wrote for a source that is gone since stays behind.
  const source = file.replace(/\.(js|d\.ts)$/, '.ts');
  if (source === file || !existsSync(join(root, 'src', source))) continue;
  if (packed.has(file)) {
    const path = posix.relative(posix.dirname(file), PACK);
    const names = file === ENTRY ? `0 && (module.exports = { ${namesOf(file).join(', ')} });\n` : '';
    write(
      file,
      `'use strict';\nconst load = require('${path.startsWith('.') ? path : `./${path}`}');\nmodule.exports = load('${file}');\n${names}`,
    );
  } else {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    copyFileSync(join(compiled, file), join(dist, file));
  }
}
write(
  PACK,
  `'use strict';
const modules = {
${[...packed].map((file) => `${JSON.stringify(file)}(exports, module) {\n${textOf(file)}},`).join('\n')}
};
const loaded = new Map();
function load(file) {
  let module = loaded.get(file);
  if (module === undefined) {
    loaded.set(file, (module = { exports: {} }));
    modules[file](module.exports, module);
  }
  return module.exports;
}
module.exports = load;
`,
);
