import { join } from 'node:path';
import * as ts from 'typescript';
import { PAGES, ROOT, textOf } from './pages';

/** One ```ts block of a page. */
export interface Block {
  readonly page: string;
  /** Of the block's first line of code, from 1. */
  readonly line: number;
  readonly code: string;
}

/** The TypeScript blocks of all pages, in order. */
export const BLOCKS: readonly Block[] = PAGES.flatMap((page) => {
  const text = textOf(page);
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length + 1,
    code: match[1]!,
  }));
});

/** A block as a module: its code, and the names that others may take from it. */
interface Module {
  readonly block: Block;
  readonly path: string;
  readonly code: string;
  readonly own: ReadonlySet<string>;
  readonly exported: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

function moduleOf(block: Block, at: number): Module {
  const source = ts.createSourceFile('block.ts', block.code, ts.ScriptTarget.Latest, true);
  const own = new Set<string>();
  const exported = new Set<string>();
  let { code } = block;
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = (statement.moduleSpecifier as ts.StringLiteral).text;
      if (from.startsWith('.')) code = blanked(code, statement.getStart(source), statement.end);
      else for (const name of importedNames(statement)) own.add(name);
      continue;
    }
    const isExported = ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    for (const name of declaredNames(statement)) {
      own.add(name);
      if (isExported === true) exported.add(name);
    }
  }
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { block, path: join(ROOT, 'docs', `${block.page.replace(/\W/g, '_')}_${at}.ts`), code, own, exported, used };
}

const blanked = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(from, to).replace(/[^\n]/g, ' ') + text.slice(to);

function importedNames({ importClause }: ts.ImportDeclaration): readonly string[] {
  const bindings = importClause?.namedBindings;
  const named = bindings === undefined ? [] : ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name) : [bindings.name];
  return [...(importClause?.name === undefined ? [] : [importClause.name]), ...named].map(({ text }) => text);
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => bound(name));
  const { name } = statement as { readonly name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function bound(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : bound(element.name)));
}

const ENTRIES = ['src/index.ts', 'src/testing/index.ts', 'src/toolsets/index.ts'];

/** The names that an entry point lists. */
export function exportsOf(path: string): readonly string[] {
  const source = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) return [];
    return statement.exportClause.elements.map(({ name }) => name.text);
  });
}

function options(): ts.CompilerOptions {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  return {
    ...ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT).options,
    // Top-level `await` is how a page says it.
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noUnusedLocals: false,
    noUnusedParameters: false,
    noEmit: true,
  };
}

/** The module's code with an import of each name that it uses and that another place has, all in its last line. */
function completed(module: Module, earlier: readonly Module[], entries: ReadonlyMap<string, readonly string[]>): string {
  const sources = [...earlier].reverse().map(({ path, own }) => ({ path: path.replace(/\.ts$/, ''), names: own as Iterable<string> }));
  for (const [path, names] of entries) sources.push({ path, names });
  const taken = new Set(module.own);
  const lines: string[] = [];
  for (const { path, names } of sources) {
    const wanted = [...names].filter((name) => module.used.has(name) && !taken.has(name));
    for (const name of wanted) taken.add(name);
    if (wanted.length > 0) lines.push(`import { ${wanted.join(', ')} } from ${JSON.stringify(path)};`);
  }
  const given = [...module.own].filter((name) => !module.exported.has(name));
  return `${module.code}\n;${lines.join(' ')} export { ${given.join(', ')} };`;
}

/** What the compiler says of each block, in order: lines of the page with a sentence each. */
export function complaintsOfBlocks(): readonly (readonly string[])[] {
  const modules = BLOCKS.map(moduleOf);
  const readme = modules.filter(({ block }) => block.page === 'README.md');
  const entries = new Map(ENTRIES.map((path) => [join(ROOT, path.replace(/\.ts$/, '')), exportsOf(path)]));
  const files = new Map(
    modules.map((module, at) => {
      const before = modules.slice(0, at).filter(({ block }) => block.page === module.block.page);
      const context = module.block.page === 'README.md' ? before : [...readme, ...before];
      return [module.path, completed(module, context, entries)];
    }),
  );
  const host = ts.createCompilerHost(options(), true);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path);
    return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version, true);
  };
  host.getCurrentDirectory = () => ROOT;
  // The matchers that a page uses are added to Jest's types by this file.
  const program = ts.createProgram([...files.keys(), join(ROOT, 'src/testing/jest.ts')], options(), host);
  return modules.map(({ path, block }) => {
    const source = program.getSourceFile(path)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
      const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
      return `${block.page}:${block.line + line} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`;
    });
  });
}
