import type { Report } from '../errors/option-check';
import type { JsonSchema } from '../types/json';
import type { TypeSpec } from '../types/type-spec';
import { asSent } from './as-sent';
import { classNode, reportClassFaults } from './class-node';
import type { Contract, Decoded } from './contract';
import type { Place } from './declaration';
import { converts } from './converts';
import { decoderOf } from './decoder';
import { asObjectSchema } from './foreign-schema';
import { schemaOf } from './json-schema';
import { nodeOf } from './node-of';
import { strictOf, type Strict } from './strict-schema';
import type { TypeNode } from './type-node';
import { runDecoder, type Decoder } from './walk';

/** A contract over a type's normal form: schemas are made when first asked for, the decoder at the first decode. */
export class ContractOf<T = unknown> implements Contract<T> {
  private plain: JsonSchema | undefined;
  private strictForm: Strict | undefined;
  private isConverting: boolean | undefined;
  private decoder: Decoder | undefined;

  /** @param isArguments whether it is all arguments of a tool, which must be one object */
  constructor(
    private readonly node: TypeNode,
    private readonly isArguments = false,
  ) {}

  get schema(): JsonSchema {
    const asObject = this.isArguments || this.node.kind === 'raw';
    return (this.plain ??= asObject ? asObjectSchema(schemaOf(this.node)) : schemaOf(this.node));
  }

  get strict(): JsonSchema | undefined {
    return this.strictly().schema;
  }

  get strictObstacle(): string | undefined {
    return this.strictly().obstacle;
  }

  get converts(): boolean {
    return (this.isConverting ??= converts(this.node));
  }

  /** Whether the root is an object, as providers want it of parameters and of structured output. */
  get isObject(): boolean {
    return this.schema.type === 'object';
  }

  decode(value: unknown): Decoded<T> | Promise<Decoded<T>> {
    // No arguments at all are the empty object; some models write `null`.
    const given = (value === undefined || value === null) && this.isObject ? {} : value;
    return runDecoder((this.decoder ??= decoderOf(this.node)), given) as Decoded<T> | Promise<Decoded<T>>;
  }

  asSent(edited: unknown, shown: unknown, sent: unknown): unknown {
    return asSent(this.node, edited, shown, sent);
  }

  private strictly(): Strict {
    if (this.strictForm === undefined) {
      const strict = strictOf(this.schema);
      // A raw schema is sent as given, or not as strict at all.
      const isChanged =
        this.node.kind === 'raw' &&
        strict.schema !== undefined &&
        JSON.stringify(sorted(strict.schema)) !== JSON.stringify(sorted(this.schema));
      this.strictForm = isChanged ? { obstacle: 'a raw JSON Schema is sent as given, and this one is not in the strict form' } : strict;
    }
    return this.strictForm;
  }
}

/**
 * The contract of one type: an agent's output.
 *
 * @param report is told each fault of the declaration
 * @param place where the type is written, for faults
 */
export function typeContract<T = unknown>(spec: TypeSpec, report: Report, place: Place = OUTPUT): ContractOf<T> {
  const node = nodeOf(spec, place, report, classNode);
  reportClassFaults(node, report);
  return new ContractOf<T>(node);
}

/**
 * The contract of all arguments of a tool as one type: a class for `@Args`, a Standard Schema, raw JSON Schema.
 *
 * @param report is told each fault of the declaration, also that the type is no object
 */
export function argumentsContract(spec: TypeSpec, report: Report, place: Place): ContractOf {
  const node = nodeOf(spec, place, report, classNode);
  reportClassFaults(node, report);
  const contract = new ContractOf(node, true);
  if (!contract.isObject)
    report({
      where: place.where,
      what: 'the arguments of a tool are one object, and this type is none',
      fix: `Give a type of objects: ${place.write('type: TheClass')}, or name the one parameter.`,
    });
  return contract;
}

const OUTPUT: Place = { where: 'The type', write: (options) => `\`{ ${options} }\`` };

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
