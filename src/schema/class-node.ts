import type { Report } from '../errors/option-check';
import type { DefinitionFault } from '../errors/definition-error';
import { lineage, ownFacts } from '../metadata/facts';
import { Integer } from '../types/type-spec';
import { constrained, type Constraints } from './constraints';
import type { Place } from './declaration';
import { haveDistinctNames } from './distinct-names';
import { endlessClasses } from './endless';
import { fieldNode, type FieldSource } from './field-node';
import { fieldsOf, type ClassField } from './fields-of';
import { enumNode, nodeOf } from './node-of';
import { ANY, isFlat, type ObjectNode, type TypeNode } from './type-node';

const nodes = new WeakMap<Function, ObjectNode>();
const faults = new WeakMap<ObjectNode, DefinitionFault[]>();

/** The node of a class: one per class, made once. Its faults stay with it, so that every contract that contains it can tell them. */
export function classNode(cls: new () => object, depth: number): TypeNode {
  const made = nodes.get(cls);
  if (made !== undefined) return made;
  const node: ObjectNode = { kind: 'object', cls, name: cls.name || 'Type', fields: [], validated: false };
  const own: DefinitionFault[] = [];
  nodes.set(cls, node);
  faults.set(node, own);
  const report: Report = (fault) => own.push(fault);
  for (const owner of lineage(cls)) for (const fault of ownFacts(owner).misplaced) report(fault);
  const known = fieldsOf(cls);
  const fields = known.filter((field) => !field.computed);
  if (fields.length === 0)
    report({
      where: node.name,
      what: 'the class has no properties that the model could fill',
      fix: `Write \`@Field()\` on its properties, or give the parameter another type (for a service: inject it through the constructor).`,
    });
  if (cls.length > 0)
    report({
      where: node.name,
      what: `its constructor asks for ${cls.length === 1 ? 'an argument' : `${cls.length} arguments`}, and the model's values are assigned after \`new ${node.name}()\``,
      fix: 'Give the constructor no required parameters.',
    });
  node.fields = fields.map((field) => fieldNode(sourceOf(cls, field, report, depth), report));
  node.validated = known.some((field) => field.validated);
  reportTwins(node, report);
  return node;
}

/** The faults of all classes that a type contains, each told once. */
export function reportClassFaults(root: TypeNode, report: Report): void {
  if (isFlat(root)) return;
  const seen = new Set<TypeNode>();
  reportInside(root, report, seen);
  for (const { node, property } of endlessClasses(seen))
    report({
      where: `${node.name}.${property}`,
      what: `every ${node.name} must hold a further one, without end, so a model can send none`,
      fix: 'Mark it optional (`@IsOptional()`, or `@Field({ optional: true })`), or make it nullable or a list.',
    });
}

function reportInside(root: TypeNode, report: Report, seen: Set<TypeNode>): void {
  if (seen.has(root)) return;
  seen.add(root);
  if (root.kind === 'object') {
    for (const fault of faults.get(root) ?? []) report(fault);
    for (const field of root.fields) reportInside(field.node, report, seen);
  } else if (root.kind === 'array') reportInside(root.item, report, seen);
  else if (root.kind === 'record') reportInside(root.value, report, seen);
  else if (root.kind === 'nullable') reportInside(root.inner, report, seen);
  else if (root.kind === 'tuple') for (const item of root.items) reportInside(item, report, seen);
  else if (root.kind === 'union') for (const option of root.options) reportInside(option, report, seen);
}

/** Two fields of one name on the wire, aliases included. `first` is where the first of them stands; what is before its comma is the owner. */
export function reportTwins(node: ObjectNode, report: Report, first = node.name): void {
  if (haveDistinctNames(node.fields) && node.fields.every((field) => field.aliases.length === 0)) return;
  const owners = new Map<string, string>();
  for (const { name, property, aliases } of node.fields) {
    for (const wire of aliases.length === 0 ? [name] : [name, ...aliases]) {
      const other = owners.get(wire);
      if (other !== undefined)
        report({
          where: first.split(',')[0] ?? first,
          what: `\`${wire}\` names both \`${other}\` and \`${property}\``,
          fix: 'Give each its own name and aliases.',
        });
      owners.set(wire, property);
    }
  }
}

function sourceOf(cls: Function, field: ClassField, report: Report, depth: number): FieldSource {
  const place: Place = { where: `${cls.name}.${field.property}`, write: (options) => `\`@Field({ ${options} })\`` };
  const { options } = field;
  const isTyped = options.type !== undefined || options.enum !== undefined || Object.hasOwn(options, 'enum');
  return {
    name: field.name,
    property: field.property,
    place,
    options,
    reflected: field.reflected,
    optional: field.optional,
    transforms: field.transforms,
    depth,
    ofClass: classNode,
    inferred: isTyped ? undefined : inferredNode(field, place, report, depth),
    constrain: (node) => withRules(node, field, place, report),
  };
}

/** The type that class-validator and `@Type` tell of; nothing when they do not. */
function inferredNode(field: ClassField, place: Place, report: Report, depth: number): TypeNode | undefined {
  // Only the declaration itself says what a Map or a Set stands for on the wire.
  if (field.reflected.kind === 'class' && (field.reflected.type === Map || field.reflected.type === Set)) return undefined;
  const item = itemNode(field, place, report, depth);
  if (item === undefined || item === ANY) return item;
  return isList(field) ? { kind: 'array', item } : item;
}

const isList = ({ reflected, rules }: ClassField): boolean =>
  (reflected.kind === 'erased' && reflected.was === 'Array') || rules.some(({ rule, each }) => each || rule.ofList === true);

/** Whether nothing tells one from many: `X[]` without metadata, `Record<string, X>` and `X | null` may all leave only `@Type(() => X)`. */
function saysNoShape(field: ClassField): boolean {
  const { reflected, nested } = field;
  if (isList(field)) return false;
  // A discriminator is for a union of classes; it is erased to Object as well, and so is a class within itself by some compilers.
  const isOne = field.isNested || nested?.options?.discriminator !== undefined;
  return reflected.kind === 'absent' || (reflected.kind === 'erased' && reflected.was === 'Object' && !isOne);
}

function reportShape(target: string, field: ClassField, place: Place, report: Report): TypeNode {
  const why = field.reflected.kind === 'absent' ? 'the compiler wrote no type metadata for it' : 'its type is erased to Object';
  report({
    where: place.where,
    what: `\`@Type\` says that it holds ${target}, but not whether one, a list or a record of it: ${why}`,
    fix: `Write ${place.write(`type: () => ${target}`)}, or arrayOf(…), recordOf(…) or nullable(…) of it.`,
  });
  return ANY;
}

function itemNode(field: ClassField, place: Place, report: Report, depth: number): TypeNode | undefined {
  const { nested } = field;
  const values = field.rules.find(({ rule }) => rule.values !== undefined)?.rule.values;
  if (values !== undefined) return enumNode(values, place, report);
  const told = field.rules.filter(({ rule }) => rule.type !== undefined && rule.type !== Object);
  // The narrower wins: an integer is a number, and a reflected Date is more than the text that a check is about.
  const type = told.some(({ rule }) => rule.type === 'integer') ? Integer : told[0]?.rule.type;
  const target = nested === undefined ? undefined : safely(nested.typeFunction);
  if (type === undefined && typeof target === 'function' && target !== Object && saysNoShape(field))
    return reportShape(target.name || 'TheClass', field, place, report);
  const discriminator = nested?.options?.discriminator;
  if (nested !== undefined && discriminator !== undefined) return discriminatedNode(field, discriminator, place, report, depth);
  if (target !== undefined && target !== Object && target !== Array && (type === undefined || target === Date || isOwnClass(target)))
    return nodeOf(target, place, report, classNode, depth + 1);
  if (
    field.reflected.kind === 'class' &&
    (type === undefined || field.reflected.type === Date || field.reflected.type === BigInt || isOwnClass(field.reflected.type))
  )
    return undefined;
  return type === undefined ? undefined : nodeOf(type, place, report, classNode, depth + 1);
}

const BUILT_IN: ReadonlySet<unknown> = new Set([String, Number, Boolean, BigInt, Date, Object, Array]);
const isOwnClass = (type: unknown): boolean => typeof type === 'function' && !BUILT_IN.has(type);

function safely(typeFunction: unknown): unknown {
  try {
    return typeof typeFunction === 'function' ? (typeFunction as (options: object) => unknown)({}) : undefined;
  } catch {
    return undefined;
  }
}

type Discriminator = NonNullable<NonNullable<NonNullable<ClassField['nested']>['options']>['discriminator']>;

/** `@Type` with a discriminator: one branch per subclass, told apart by its tag. */
function discriminatedNode(
  field: ClassField,
  { property, subTypes }: Discriminator,
  place: Place,
  report: Report,
  depth: number,
): TypeNode {
  const keep = field.nested?.options?.keepDiscriminatorProperty === true;
  const options = subTypes.map(({ name, value }) => {
    const node = nodeOf(value, place, report, classNode, depth + 1);
    if (node.kind !== 'object') return node;
    const tag = { name: property, property, aliases: [], node: { kind: 'literal', values: [name] }, optional: false } as const;
    const declared = node.fields.some((inner) => inner.name === property);
    const drop = declared || keep ? {} : { transforms: [() => undefined] };
    const rest = node.fields.filter((inner) => inner.name !== property);
    const branch: ObjectNode = { ...node, fields: [{ ...tag, ...drop }, ...rest] };
    faults.set(branch, faults.get(node) ?? []);
    return branch;
  });
  return options.length === 0 ? ANY : options.length === 1 ? options[0]! : { kind: 'union', options };
}

/** Puts class-validator's constraints where they belong: on the list, on its items, or on the value. */
function withRules(node: TypeNode, field: ClassField, place: Place, report: Report): TypeNode {
  let result = node;
  for (const { rule, each } of field.rules) {
    if (rule.constraints === undefined) continue;
    const given = Object.fromEntries(Object.entries(rule.constraints).filter(([, value]) => value !== undefined && value !== null));
    result = each ? onItems(result, (item) => fitting(item, given, place, report)) : fitting(result, given, place, report);
  }
  return result;
}

function onItems(node: TypeNode, change: (item: TypeNode) => TypeNode): TypeNode {
  if (node.kind === 'array') return { ...node, item: change(node.item) };
  return node.kind === 'nullable' ? { ...node, inner: onItems(node.inner, change) } : node;
}

/** class-validator allows checks on types that they say nothing of (`@IsNotEmpty` on a number): those are left to it. */
function fitting(node: TypeNode, given: Constraints, place: Place, report: Report): TypeNode {
  const inner = node.kind === 'nullable' ? node.inner : node;
  const isText = 'minLength' in given || 'maxLength' in given || 'pattern' in given || 'format' in given;
  const isListed = 'minItems' in given || 'maxItems' in given || 'uniqueItems' in given;
  const wanted = isText ? inner.kind === 'string' : isListed ? inner.kind === 'array' : inner.kind === 'number' || inner.kind === 'bigint';
  return wanted ? constrained(node, given, place, report) : node;
}
