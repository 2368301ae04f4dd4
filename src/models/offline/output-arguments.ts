import type { ModelTool } from '../model';
import { fillArguments, type ArgumentSource } from './arguments';
import { parametersOf, type Parameter } from './parameters';
import { termsOf } from './words';

/** What an output is made of: the question, the answer as text, and what the results hold. */
export interface OutputSource extends Pick<ArgumentSource, 'mentions' | 'values' | 'paths' | 'question'> {
  readonly text: string;
}

/** Arguments for a tool that must be called: found ones where there are some, else a plain value of the type. */
export function outputArguments(tool: ModelTool, source: OutputSource): { readonly [name: string]: unknown } {
  const parameters = parametersOf(tool);
  const { values, missing } = fillArguments(parameters, { ...source, toolTerms: new Set() });
  const all = new Map(Object.entries(values));
  for (const parameter of missing) {
    const value = plainValue(parameter, source);
    all.set(parameter.name, parameter.list && value !== undefined ? [value] : parameter.list ? [] : value);
  }
  // `text`-like outputs hold the answer rather than a word of the question.
  for (const parameter of parameters)
    if (!parameter.list && parameter.required && (parameter.kind === 'text' || parameter.terms.some((term) => ANSWER.has(term)))) {
      if (typeof all.get(parameter.name) === 'string') all.set(parameter.name, source.text);
    }
  return Object.fromEntries(all);
}

const ANSWER = new Set(termsOf('answer summary result reply explanation'));

function plainValue(parameter: Parameter, source: OutputSource): unknown {
  const inText = new Set(termsOf(source.text));
  switch (parameter.kind) {
    case 'enum':
      return parameter.members.find((member) => termsOf(String(member)).some((term) => inText.has(term))) ?? parameter.members[0];
    case 'boolean':
      return false;
    case 'integer':
      return Math.trunc(Number(/-?\d{1,15}/.exec(source.text)?.[0] ?? 0));
    case 'number':
      return Number(/-?\d{1,15}(?:\.\d{1,15})?/.exec(source.text)?.[0] ?? 0);
    case 'date':
      return '1970-01-01';
    case 'email':
      return 'nobody@example.com';
    case 'url':
      return 'https://example.com/';
    case 'path':
      return source.paths[0] ?? source.text;
    case 'query':
    case 'text':
      return source.text;
    case 'object':
      return parameter.list ? undefined : {};
    case 'other':
      return parameter.list ? undefined : source.text;
  }
}
