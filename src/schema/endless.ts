import type { ObjectNode, TypeNode } from './type-node';

/** The classes among these types of which no value ends, since each must hold another: with a property that is in the way. */
export function endlessClasses(types: Iterable<TypeNode>): readonly { readonly node: ObjectNode; readonly property: string }[] {
  const open = new Set([...types].filter((node): node is ObjectNode => node.kind === 'object' && node.cls !== undefined));
  const blocking = (node: ObjectNode): string | undefined =>
    node.fields.find((field) => !field.optional && !ends(field.node, open))?.property;
  // Whatever is known to end lets others end, until nothing changes.
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const node of open) if (blocking(node) === undefined) open.delete(node);
  }
  return [...open].map((node) => ({ node, property: blocking(node)! }));
}

/** Whether some value of a type ends, when those of `open` do not. */
function ends(node: TypeNode, open: ReadonlySet<TypeNode>): boolean {
  switch (node.kind) {
    case 'object':
      return !open.has(node);
    case 'array':
      return (node.minItems ?? 0) === 0 || ends(node.item, open);
    case 'tuple':
      return node.items.every((item) => ends(item, open));
    case 'union':
      return node.options.some((option) => ends(option, open));
    default:
      return true;
  }
}
