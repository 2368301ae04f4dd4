/** The part of a JSON text under a path such as `items[3].name`, as JSON text again, or what is wrong with the path. */
export function jsonAt(text: string, path: string): string | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'This result is no JSON, so no path leads into it. Read it by page, or search in it.' };
  }
  const keys = path.match(/[^.[\]]+/g) ?? [];
  let walked = '';
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
      const here = typeof value === 'object' && value !== null ? Object.keys(value).slice(0, 20).join(', ') : `a ${typeof value}`;
      return { problem: `There is no ${JSON.stringify(key)} under ${walked === '' ? 'the whole' : walked}. There: ${here}.` };
    }
    value = (value as { readonly [key: string]: unknown })[key];
    walked = walked === '' ? key : `${walked}.${key}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}
