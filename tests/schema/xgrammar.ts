import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

interface Grammar {
  dispose(): void;
}

interface XGrammar {
  readonly Grammar: {
    fromJSONSchema(schema: string, anyWhitespace: boolean, indent: number, separators: [string, string], strict: boolean): Promise<Grammar>;
  };
  readonly Testings: { isGrammarAcceptString(grammar: Grammar, text: string): Promise<boolean> };
}

let library: XGrammar | undefined;

/** The schema engine behind vLLM and SGLang: whether it compiles a schema, and which texts fit it. An outside judge of our schemas. */
export async function engineAccepts(schema: object, texts: readonly string[]): Promise<boolean[]> {
  library ??= load();
  const grammar = await library.Grammar.fromJSONSchema(JSON.stringify(schema), true, 2, [',', ':'], false);
  const outcomes: boolean[] = [];
  for (const text of texts) outcomes.push(await library.Testings.isGrammarAcceptString(grammar, text));
  grammar.dispose();
  return outcomes;
}

// Its package exports nothing to Node, so the file is run as the CommonJS module that it is.
function load(): XGrammar {
  const path = `${dirname(require.resolve('@mlc-ai/web-xgrammar/package.json'))}/lib/index.js`;
  const module = { exports: {} as unknown };
  const run = new Function('module', 'exports', 'require', '__filename', '__dirname', readFileSync(path, 'utf8')) as (
    ...given: unknown[]
  ) => void;
  run(module, module.exports, createRequire(path), path, dirname(path));
  return module.exports as XGrammar;
}
