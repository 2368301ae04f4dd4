import { isJsonObject } from './decode-any';
import { orJsonText } from './decode-text';
import { validateInstance } from './class-validation';
import { expectation } from './expectation';
import { nearestName } from '../errors/nearest-name';
import { acceptsNull, type FieldNode, type ObjectNode, type TypeNode } from './type-node';
import { DeveloperError, pathText, type Decoder, type Walk } from './walk';

interface Slot {
  readonly field: FieldNode;
  readonly decoder: Decoder;
  readonly nullable: boolean;
}

/** An object with known keys: a plain one for parameters, an instance for a class. */
export function objectDecoder(node: ObjectNode, lazily: (node: TypeNode) => Decoder): Decoder {
  const slots: readonly Slot[] = node.fields.map((field) => ({
    field,
    decoder: lazily(field.node),
    nullable: acceptsNull(field.node),
  }));
  const known = new Map<string, Slot>();
  for (const slot of slots) for (const alias of slot.field.aliases) known.set(alias, slot);
  for (const slot of slots) known.set(slot.field.name, slot);
  const hasAliases = known.size > slots.length;
  const { cls } = node;

  const decode: Decoder = (value, walk) => {
    if (!isJsonObject(value)) return walk.refuse('an object', value);
    const before = walk.faults.length;
    const read: Record<string, unknown> = {};
    let taken = 0;
    for (const slot of slots) {
      const { field } = slot;
      let key = field.name;
      if (hasAliases && !Object.hasOwn(value, key)) key = field.aliases.find((alias) => Object.hasOwn(value, alias)) ?? key;
      const isGiven = Object.hasOwn(value, key);
      if (isGiven) taken += 1;
      const given = isGiven ? value[key] : undefined;
      // `null` for what may be left out means that it was left out: strict models have no other way to say so.
      const isAbsent = given === undefined || (given === null && field.optional && !slot.nullable);
      if (!isAbsent) {
        if (!walk.enter(key, given)) return undefined;
        const { property } = field;
        read[property] = slot.decoder(given, walk);
        if (walk.open !== undefined) walk.settle((settled) => (read[property] = settled));
        walk.leave();
      } else if (field.fallback !== undefined) read[field.property] = field.fallback.fresh();
      else if (!field.optional)
        walk.fault({
          path: pathText([...walk.path, field.name]),
          expected: expectation(field.node),
          got: given === null ? 'null' : 'nothing',
        });
    }
    if (taken < Object.keys(value).length) refuseUnknown(value, known, walk);
    if (cls === undefined || walk.faults.length > before) return read;
    return build(node, cls, read, walk);
  };
  return orJsonText(decode, isJsonObject, 'an object');
}

function refuseUnknown(value: Record<string, unknown>, known: ReadonlyMap<string, Slot>, walk: Walk): void {
  const names = [...known.values()].map((slot) => slot.field.name);
  const used = new Map<Slot, string>();
  for (const key of Object.keys(value)) {
    const slot = known.get(key);
    if (slot === undefined) {
      const near = nearestName(key, names);
      const allowed = names.length === 0 ? 'there are no parameters here' : `known here: ${[...new Set(names)].slice(0, 20).join(', ')}`;
      const path = pathText([...walk.path, key]);
      walk.fault({
        path,
        expected: 'no such key',
        got: path === '' ? 'one' : 'an unknown key',
        hint: near === undefined ? allowed : `did you mean ${near}?`,
      });
    } else if (used.has(slot)) {
      walk.fault({ path: pathText([...walk.path, key]), expected: `only one of ${used.get(slot)} and ${key}`, got: 'both' });
    } else used.set(slot, key);
  }
}

/** An instance with the decoded values; what is not given keeps what the class's initialisers set. */
function build(node: ObjectNode, cls: new () => object, read: Record<string, unknown>, walk: Walk): unknown {
  let instance: Record<string, unknown>;
  try {
    instance = new cls() as Record<string, unknown>;
  } catch (error) {
    throw new DeveloperError(error);
  }
  const fill = (): void => {
    for (const field of node.fields) {
      const { property, transforms } = field;
      const isGiven = Object.hasOwn(read, property);
      if (!isGiven && transforms === undefined) continue;
      let value = isGiven ? read[property] : undefined;
      try {
        if (isGiven) for (const transform of transforms ?? []) value = transform(value, read);
        instance[property] = value;
      } catch {
        walk.fault({
          path: pathText([...path, field.name]),
          expected: expectation(field.node),
          got: 'a value that cannot be converted',
        });
      }
    }
  };
  const path = [...walk.path];
  if (walk.isPending) walk.check(async () => fill());
  else fill();
  if (node.validated) walk.check(() => validateInstance(instance, node, path, walk));
  return instance;
}
