import type { DefinitionFault } from '../errors/definition-error';

/** What every provider accepts as a tool's name. */
const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;

/** `currentWeather` -> `current_weather`, `getHTTPStatus` -> `get_http_status`. */
export function snakeCase(name: string): string {
  return name.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$&_').toLowerCase();
}

/** `current_weather` -> `Current weather`: a tool's name for people. */
export function inWords(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}

/** What is wrong with a tool's name, or nothing. `derivedFrom` tells where a name came from that nobody wrote. */
export function nameFault(name: string, where: string, derivedFrom?: string): DefinitionFault | undefined {
  if (LEGAL.test(name)) return undefined;
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  const source = derivedFrom === undefined ? '' : ` (made from ${derivedFrom})`;
  const why = name.length > 64 ? `it is ${name.length} characters long, and providers refuse more than 64` : 'providers refuse it';
  return {
    where,
    what: `the tool's name ${shown}${source} is not legal: ${why}. Letters, digits, underscore and hyphen only, 1 to 64 of them.`,
    fix: `@Tool({ name: '${legalForm(name)}', … })`,
  };
}

function legalForm(name: string): string {
  const form = name
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
  return form === '' ? 'my_tool' : form;
}
