import { UsageError } from '../errors/usage-error';
import { describeValue } from './describe-value';
import { acceptsNull, type FieldNode, type ObjectNode } from './type-node';
import { DeveloperError, pathText, type Walk } from './walk';

/** What is read of class-validator's error tree; structural, so that no typings are imported. */
interface ValidationFault {
  readonly property: string;
  readonly value?: unknown;
  readonly constraints?: { readonly [name: string]: string };
}

interface Validator {
  validate(instance: object, options: object): Promise<ValidationFault[]>;
}

let validator: Validator | undefined;

/** Runs class-validator over an instance, for constraints that go beyond the schema. Nested instances have their own turn. */
export async function validateInstance(instance: object, node: ObjectNode, path: readonly (string | number)[], walk: Walk): Promise<void> {
  let faults: ValidationFault[];
  try {
    validator ??= loadValidator();
    faults = await validator.validate(instance, { forbidUnknownValues: false, validationError: { target: false, value: true } });
  } catch (error) {
    throw new DeveloperError(error);
  }
  for (const { property, constraints, value } of faults) {
    if (constraints === undefined) continue;
    const field = node.fields.find((one) => one.property === property);
    if (field !== undefined && isDeclared(value, field)) continue;
    const name = field?.name ?? property;
    walk.fault({
      path: pathText([...path, name]),
      expected: 'a valid value',
      got: describeValue(value),
      hint: Object.values(constraints).join('; '),
    });
  }
}

/** What the property's own options let through, such as `null` by `nullable(String)` above `@IsString()`: explicit options win. */
function isDeclared(value: unknown, field: FieldNode): boolean {
  return value === undefined ? field.mayMiss === true : value === null && acceptsNull(field.node);
}

function loadValidator(): Validator {
  try {
    return require('class-validator') as Validator;
  } catch (cause) {
    throw new UsageError('class-validator cannot be loaded, though a class uses its decorators. Run `npm install class-validator`.', {
      cause,
    });
  }
}
