import { ANY_DECODER } from './decode-any';
import { arrayDecoder, recordDecoder, tupleDecoder } from './decode-collection';
import { objectDecoder } from './decode-object';
import { bigintDecoder, booleanDecoder, dateDecoder, literalDecoder, numberDecoder, stringDecoder, urlDecoder } from './decode-scalar';
import { unionDecoder } from './decode-union';
import { rawDecoder } from './raw-schema';
import { standardDecoder } from './standard-decoder';
import type { TypeNode } from './type-node';
import type { Decoder } from './walk';

const ofClasses = new WeakMap<TypeNode, Decoder>();

/** The decoder of a type, for whoever asks to keep. That of a class is compiled once: many types may contain it. */
export function decoderOf(node: TypeNode): Decoder {
  if (node.kind !== 'object' || node.cls === undefined) return compile(node);
  let decoder = ofClasses.get(node);
  if (decoder === undefined) ofClasses.set(node, (decoder = compile(node)));
  return decoder;
}

// Inner decoders are asked for at first use only: a class may contain itself.
function lazily(node: TypeNode): Decoder {
  let decoder: Decoder | undefined;
  return (value, walk) => (decoder ??= decoderOf(node))(value, walk);
}

function compile(node: TypeNode): Decoder {
  switch (node.kind) {
    case 'string':
      return stringDecoder(node);
    case 'number':
      return numberDecoder(node);
    case 'boolean':
      return booleanDecoder;
    case 'bigint':
      return bigintDecoder(node);
    case 'date':
      return dateDecoder;
    case 'url':
      return urlDecoder;
    case 'literal':
      return literalDecoder(node);
    case 'array':
      return arrayDecoder(node, lazily(node.item));
    case 'tuple':
      return tupleDecoder(node.items, node.items.map(lazily));
    case 'record':
      return recordDecoder(lazily(node.value));
    case 'union':
      return unionDecoder(node, node.options.map(lazily));
    case 'nullable': {
      const inner = lazily(node.inner);
      return (value, walk) => (value === null ? null : inner(value, walk));
    }
    case 'object':
      return objectDecoder(node, lazily);
    case 'any':
      return ANY_DECODER;
    case 'standard':
      return standardDecoder(node);
    case 'raw':
      return rawDecoder(node);
  }
}
