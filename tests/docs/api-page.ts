import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import { textOf } from './pages';

const HEAD = `# Everything that can be imported

What \`import { ... } from 'toolwright'\` offers, with the first sentence of its documentation; an editor shows the rest. The other pages say how it
belongs together. This page is written from the code: \`UPDATE_DOCS=1 npx jest tests/docs/api\`.
`;

/** docs/api.md as the code would have it, before formatting. */
export function apiPage(entry: string): string {
  const source = parsed(entry);
  const groups: { readonly title: string; readonly values: string[]; readonly types: string[] }[] = [];
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause)) continue;
    const title = commentAbove(statement, source);
    if (title !== undefined || groups.length === 0) groups.push({ title: title ?? '', values: [], types: [] });
    const { values, types } = groups.at(-1)!;
    const from = join(dirname(entry), `${(statement.moduleSpecifier as ts.StringLiteral).text}.ts`);
    for (const element of statement.exportClause.elements) {
      const name = element.name.text;
      if (statement.isTypeOnly || element.isTypeOnly) types.push(`\`${name}\``);
      else values.push(`| \`${name}\` | ${sentenceOf(from, (element.propertyName ?? element.name).text).replaceAll('|', '\\|')} |`);
    }
  }
  return [HEAD, ...groups.map(({ title, values, types }) => groupText(title, values, types))].join('\n');
}

function groupText(title: string, values: readonly string[], types: readonly string[]): string {
  const table = values.length === 0 ? '' : `| Value | What it is |\n| --- | --- |\n${values.join('\n')}\n\n`;
  return `## ${title.split(':')[0]}\n\n${table}${types.length === 0 ? '' : `Types: ${types.join(', ')}.\n`}`;
}

const files = new Map<string, ts.SourceFile>();

function parsed(path: string): ts.SourceFile {
  const known = files.get(path) ?? ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
  files.set(path, known);
  return known;
}

/** The comment of one line that stands above a statement. */
function commentAbove(node: ts.Node, source: ts.SourceFile): string | undefined {
  const comments = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [];
  return comments
    .map(({ pos, end }) => source.text.slice(pos, end))
    .findLast((text) => text.startsWith('// '))
    ?.slice(3);
}

/** The first sentence of a declaration's documentation. */
function sentenceOf(path: string, name: string): string {
  for (const statement of parsed(path).statements) {
    const names = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map((declaration) => declaration.name.getText())
      : [(statement as { readonly name?: ts.Identifier }).name?.text];
    if (!names.includes(name)) continue;
    const [doc] = ts.getJSDocCommentsAndTags(statement);
    const text = doc === undefined ? undefined : ts.getTextOfJSDocComment(doc.comment);
    const said = text?.replace(/\s+/g, ' ').trim() ?? '';
    if (said !== '') return (/^.*?[.;](?=\s|$)/.exec(said)?.[0] ?? said).replace(/[.;]$/, '');
  }
  throw new Error(`${path}: \`${name}\` is public and has no documentation.`);
}
