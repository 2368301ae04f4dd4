import * as ts from 'typescript';
import { textOf } from './pages';

function statementOf(path: string, name: string): { readonly source: ts.SourceFile; readonly node: ts.Statement } {
  const source = ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true);
  const node = source.statements.find(
    (statement) => (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name.text === name,
  );
  if (node === undefined) throw new Error(`${path} declares no ${name}.`);
  return { source, node };
}

/** The names of an interface's members. */
export function membersOf(path: string, name: string): readonly string[] {
  const { source, node } = statementOf(path, name);
  return (node as ts.InterfaceDeclaration).members.map((member) => member.name!.getText(source));
}

/** The texts of a union of literals. */
export function literalsOf(path: string, name: string): readonly string[] {
  const { node } = statementOf(path, name);
  return ((node as ts.TypeAliasDeclaration).type as ts.UnionTypeNode).types.map(
    (type) => ((type as ts.LiteralTypeNode).literal as ts.StringLiteral).text,
  );
}

/** The members of each object type of a union, by the literal text of its `type`. */
export function variantsOf(path: string, name: string): ReadonlyMap<string, readonly string[]> {
  const { source, node } = statementOf(path, name);
  const variants = ((node as ts.TypeAliasDeclaration).type as ts.UnionTypeNode).types as ts.NodeArray<ts.TypeLiteralNode>;
  return new Map(
    variants.map(({ members }) => {
      const type = members.find((member) => member.name!.getText(source) === 'type') as ts.PropertySignature;
      const names = members.map((member) => member.name!.getText(source)).filter((member) => member !== 'type');
      return [((type.type as ts.LiteralTypeNode).literal as ts.StringLiteral).text, names.sort()];
    }),
  );
}
