import { execFile } from 'node:child_process';
import { dirname } from 'node:path';

interface Question {
  readonly schema: object;
  readonly texts: readonly string[];
}

/**
 * Asks the schema engine behind vLLM and SGLang, an outside judge of our schemas: which of the texts fit each schema.
 * It is WebAssembly with dynamic imports, which Jest cannot run, so it has a process of its own.
 */
export function judgedByEngine(questions: readonly Question[]): Promise<unknown> {
  const path = `${dirname(require.resolve('@mlc-ai/web-xgrammar/package.json'))}/lib/index.js`;
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ['-e', JUDGE, path], { maxBuffer: 10_000_000 }, (error, out) =>
      error === null ? resolve(JSON.parse(out)) : reject(error),
    );
    child.stdin?.end(JSON.stringify(questions));
  });
}

// The package exports nothing to Node, so its file is run as the CommonJS module that it is.
const JUDGE = `
const { readFileSync } = require('node:fs');
const path = process.argv[1];
const module_ = { exports: {} };
new Function('module', 'exports', 'require', '__filename', '__dirname', readFileSync(path, 'utf8'))(
  module_, module_.exports, require('node:module').createRequire(path), path, require('node:path').dirname(path));
const { Grammar, Testings } = module_.exports;
(async () => {
  const verdicts = [];
  for (const { schema, texts } of JSON.parse(readFileSync(0, 'utf8'))) {
    const grammar = await Grammar.fromJSONSchema(JSON.stringify(schema), true, 2, [',', ':'], false);
    const own = [];
    for (const text of texts) own.push(await Testings.isGrammarAcceptString(grammar, text));
    verdicts.push(own);
  }
  process.stdout.write(JSON.stringify(verdicts));
})();
`;
