import { formatName } from './formats';
import type { BigIntNode, NumberNode, StringNode, TypeNode } from './type-node';

const MAX_VALUES = 12;

/** What a type expects, in words for the model: `an integer from 1 to 100`. */
export function expectation(node: TypeNode, depth = 0): string {
  switch (node.kind) {
    case 'string':
      return text(node);
    case 'number':
      return `${node.integer ? 'an integer' : 'a number'}${range(node)}`;
    case 'boolean':
      return 'a boolean';
    case 'bigint':
      return `an integer as a string of digits${range(node)}`;
    case 'date':
      return 'a date and time';
    case 'url':
      return 'a URL';
    case 'literal': {
      const shown = node.values.slice(0, MAX_VALUES).map((value) => JSON.stringify(typeof value === 'bigint' ? value.toString() : value));
      if (shown.length === 1) return shown[0]!;
      return `one of ${shown.join(', ')}${node.values.length > MAX_VALUES ? `, and ${node.values.length - MAX_VALUES} more` : ''}`;
    }
    case 'array':
      return `an array${count(node.minItems, node.maxItems, 'item')}`;
    case 'tuple':
      return `an array of ${node.items.length} items`;
    case 'record':
      return 'an object';
    case 'union':
      return depth > 1 ? 'a value' : [...new Set(node.options.map((option) => expectation(option, depth + 1)))].join(' or ');
    case 'nullable':
      return `${expectation(node.inner, depth)} or null`;
    case 'object': {
      if (depth === 0) return 'an object';
      const keys = node.fields.filter((field) => !field.optional).map((field) => field.name);
      return keys.length === 0 || keys.length > 6 ? 'an object' : `an object with ${keys.join(', ')}`;
    }
    default:
      return 'a value';
  }
}

function text(node: StringNode): string {
  const shape = node.format === undefined ? '' : `, ${formatName(node.format)}`;
  const pattern = (node.patterns ?? []).map(({ source }) => ` matching ${source.length > 80 ? 'its pattern' : source}`).join(' and');
  return `a string${count(node.minLength, node.maxLength, 'character')}${shape}${pattern}`;
}

function range(node: NumberNode | BigIntNode): string {
  const { minimum: low, maximum: high } = node;
  let said = '';
  if (low !== undefined && high !== undefined) said = ` from ${low} to ${high}`;
  else if (low !== undefined) said = ` of at least ${low}`;
  else if (high !== undefined) said = ` of at most ${high}`;
  if (node.kind === 'bigint') return said;
  if (node.exclusiveMinimum !== undefined) said += ` greater than ${node.exclusiveMinimum}`;
  if (node.exclusiveMaximum !== undefined)
    said += `${node.exclusiveMinimum === undefined ? '' : ' and'} less than ${node.exclusiveMaximum}`;
  if (node.multipleOf !== undefined) said += `, a multiple of ${node.multipleOf}`;
  return said;
}

function count(low: number | undefined, high: number | undefined, noun: string): string {
  const many = (n: number): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
  if (low !== undefined && low === high) return ` of ${many(low)}`;
  if (low !== undefined && high !== undefined) return ` of ${low} to ${many(high)}`;
  if (low !== undefined && low > 0) return ` of at least ${many(low)}`;
  return high === undefined ? '' : ` of at most ${many(high)}`;
}
