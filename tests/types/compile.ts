import { dirname, join } from 'node:path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '../..');
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Checks a text as if it were a file beside this one. Library files are parsed once for all. */
export function compile(text: string): ts.Program {
  const config = ts.readConfigFile(join(__dirname, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, __dirname);
  const file = join(__dirname, 'virtual.ts');
  const host = ts.createCompilerHost(options, true);
  const read = host.getSourceFile.bind(host);
  host.fileExists = (path) => path === file || ts.sys.fileExists(path);
  host.getCurrentDirectory = () => dirname(ROOT);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    if (path === file) return ts.createSourceFile(path, text, languageVersion, true);
    if (!parsed.has(path)) parsed.set(path, read(path, languageVersion, ...rest));
    return parsed.get(path);
  };
  return ts.createProgram([file], { ...options, noEmit: true }, host);
}

/** What the compiler says of a text, line by line (the first is 0). */
export function complaints(text: string): Map<number, string> {
  const program = compile(text);
  const source = program.getSourceFile(join(__dirname, 'virtual.ts'))!;
  const said = new Map<number, string>();
  for (const diagnostic of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    said.set(line, `${said.get(line) ?? ''}${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}\n`);
  }
  return said;
}
