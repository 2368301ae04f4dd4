import * as ts from 'typescript';

/** What a block may reach. */
interface World {
  readonly modules: { readonly [specifier: string]: unknown };
  readonly globals?: { readonly [name: string]: unknown };
}

/** Runs a block and gives what it exports. */
export async function runBlock(
  code: string,
  { modules, globals = {} }: World,
  options: ts.CompilerOptions = {},
): Promise<Record<string, unknown>> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      ...options,
    },
  });
  const exported: Record<string, unknown> = {};
  const load = (specifier: string): unknown => {
    if (!Object.hasOwn(modules, specifier)) throw new Error(`The block imports ${specifier}.`);
    return modules[specifier];
  };
  const names = Object.keys(globals);
  // The block is text of this repository; running it is the point.

  await new Function('require', 'exports', ...names, `return (async () => {${outputText}\n})();`)(
    load,
    exported,
    ...names.map((name) => globals[name]),
  );
  return exported;
}
