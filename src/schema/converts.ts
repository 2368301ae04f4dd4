import type { TypeNode } from './type-node';

/**
 * Whether decoding may turn a value into one that cannot be decoded again to the same: by a transformation of the user's, or
 * where a property has another name on the wire. Then only what came can be decoded a second time.
 */
export function converts(node: TypeNode, seen = new Set<TypeNode>()): boolean {
  if (seen.has(node)) return false;
  seen.add(node);
  switch (node.kind) {
    case 'standard':
      return true;
    case 'object':
      return node.fields.some((field) => field.transforms !== undefined || field.name !== field.property || converts(field.node, seen));
    case 'array':
      return converts(node.item, seen);
    case 'record':
      return converts(node.value, seen);
    case 'nullable':
      return converts(node.inner, seen);
    case 'tuple':
      return node.items.some((item) => converts(item, seen));
    case 'union':
      return node.options.some((option) => converts(option, seen));
    default:
      return false;
  }
}
