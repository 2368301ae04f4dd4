const DEEPEST = 100;

/** An expectation of one value, such as Jest's `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Whether `actual` holds all that `expected` names: objects may have more keys, lists must be as long, everything else
 * must be equal. Jest's asymmetric matchers (`expect.any(String)`) and regular expressions for strings are honoured.
 */
export function isSubset(expected: unknown, actual: unknown, depth = 0): boolean {
  if (Object.is(expected, actual)) return true;
  if (depth > DEEPEST) return false;
  if (isAsymmetricMatcher(expected)) return expected.asymmetricMatch(actual);
  if (expected instanceof RegExp) return typeof actual === 'string' && actual.search(expected) >= 0;
  if (expected instanceof Date) return actual instanceof Date && expected.getTime() === actual.getTime();
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((item, at) => isSubset(item, actual[at] as unknown, depth + 1))
    );
  if (expected instanceof Map || expected instanceof Set)
    return (
      Object.getPrototypeOf(expected) === Object.getPrototypeOf(actual) &&
      isSubset([...expected], [...(actual as Iterable<unknown>)], depth + 1)
    );
  return Object.entries(expected).every(([key, value]) =>
    value === undefined
      ? !Object.hasOwn(actual, key) || (actual as Record<string, unknown>)[key] === undefined
      : Object.hasOwn(actual, key) && isSubset(value, (actual as Record<string, unknown>)[key], depth + 1),
  );
}

function isAsymmetricMatcher(value: unknown): value is AsymmetricMatcher {
  return typeof value === 'object' && value !== null && typeof (value as Partial<AsymmetricMatcher>).asymmetricMatch === 'function';
}
