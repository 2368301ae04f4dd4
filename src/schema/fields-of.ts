import { classBehind, lineage, ownFacts, type RawOptions } from '../metadata/facts';
import { reflectedProperty, type Reflected } from '../metadata/reflection';
import { convertedProperties, exposedName, exposedProperties, isExcluded, transformsOf, typeMetadata } from './class-transformer-facts';
import { ruleOf, validationsOf, type Rule, type ValidationMetadata } from './class-validator-rules';
import type { Transform } from './type-node';

/** What is known of one property of a class, from every source; nothing of it is decided yet. */
export interface ClassField {
  readonly property: string;
  readonly name: string;
  /** What `@Field` says; bases first, so that a redeclaration adds to or replaces what it inherits. */
  readonly options: RawOptions;
  readonly reflected: Reflected;
  readonly rules: readonly { readonly rule: Rule; readonly each: boolean }[];
  readonly nested: ReturnType<typeof typeMetadata>;
  /** Whether `@ValidateNested()` without `each` says that an object here is one nested value, not a map of them. */
  readonly isNested: boolean;
  /** class-validator's `@IsOptional`. */
  readonly optional: boolean;
  readonly transforms: readonly Transform[];
  /** Whether the class gives it itself, by a getter without a setter or a method: then nobody sends it. */
  readonly computed: boolean;
  /** Whether class-validator checks more than the schema says, so that it has to run. */
  readonly validated: boolean;
}

/** The properties of a class that its decorators speak of, but for those that never come from outside, in the order of their declaration with bases first. */
export function fieldsOf(given: Function): readonly ClassField[] {
  const cls = classBehind(given);
  const chain = lineage(cls);
  const checks = validationsOf(cls);
  const names = new Set<string>();
  for (const owner of chain) for (const property of propertiesOf(owner, checks)) names.add(property);
  for (const property of exposedProperties(cls)) names.add(property);
  return [...names].filter((property) => !isExcluded(cls, property)).map((property) => fieldOf(cls, chain, property, checks));
}

/** The properties of one class itself, from each library's list: those lists that are in order stay so. */
function propertiesOf(owner: Function, checks: readonly ValidationMetadata[]): readonly string[] {
  const declared = ownFacts(owner).fields.map((field) => field.property);
  const checked = checks.filter((check) => check.target === owner).map((check) => check.propertyName);
  return [declared, checked, convertedProperties(owner)].map((list) => [...new Set(list)]).reduce(merged);
}

/** Two lists, each in order, as one in which both orders hold. */
function merged(first: readonly string[], second: readonly string[]): string[] {
  const both: string[] = [];
  let taken = 0;
  for (const property of first) {
    const at = second.indexOf(property, taken);
    if (at >= 0) {
      both.push(...second.slice(taken, at));
      taken = at + 1;
    }
    both.push(property);
  }
  return [...both, ...second.slice(taken)];
}

function fieldOf(cls: Function, chain: readonly Function[], property: string, checks: readonly ValidationMetadata[]): ClassField {
  const own = checks.filter((check) => check.propertyName === property);
  const isOptional = (check: ValidationMetadata): boolean => check.type === 'conditionalValidation' && check.name === 'isOptional';
  const telling = own.filter(
    (check) => check.type !== 'conditionalValidation' && check.type !== 'whitelistValidation' && check.type !== 'nestedValidation',
  );
  // A bare `ValidateIf` makes every other check depend on the object: then the schema promises nothing of them.
  const isConditional = own.some((check) => check.type === 'conditionalValidation' && !isOptional(check));
  const rules = isConditional ? [] : telling.map((check) => ({ rule: ruleOf(check), each: check.each === true }));
  const computed = isComputed(cls, property);
  const options = Object.assign(
    {},
    ...chain.flatMap((owner) =>
      ownFacts(owner)
        .fields.filter((field) => field.property === property)
        .map((field) => field.options),
    ),
  ) as RawOptions;
  return {
    property,
    name: exposedName(cls, property) ?? property,
    options,
    reflected: nearestReflection(chain, property),
    rules,
    nested: typeMetadata(cls, property),
    isNested: own.some((check) => check.type === 'nestedValidation' && check.each !== true),
    optional: own.some(isOptional) || isConditional,
    transforms: transformsOf(cls, property),
    computed,
    validated: isConditional || rules.some(({ rule }) => computed || !rule.exact),
  };
}

function isComputed(cls: Function, property: string): boolean {
  for (let at: unknown = cls.prototype; typeof at === 'object' && at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const member = Object.getOwnPropertyDescriptor(at, property);
    if (member !== undefined) return typeof member.value === 'function' || (member.get !== undefined && member.set === undefined);
  }
  return false;
}

function nearestReflection(chain: readonly Function[], property: string): Reflected {
  for (let at = chain.length - 1; at >= 0; at -= 1) {
    const reflected = reflectedProperty(chain[at]!, property);
    if (reflected.kind !== 'absent') return reflected;
  }
  return { kind: 'absent' };
}
