import { ModelError } from '../errors/run-error';

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)$/;

let original: typeof fetch | undefined;
let currentTest: () => string | undefined = () => undefined;
let refused: ModelError[] = [];

/**
 * From now on a request to any host but this machine fails, with the name of the test that made it.
 * @param testName how to learn that name; `toolwright/testing/jest` knows it by itself
 * @example beforeAll(() => forbidRealRequests());
 */
export function forbidRealRequests(testName?: () => string | undefined): void {
  if (testName !== undefined) currentTest = testName;
  if (original !== undefined) return;
  const real = globalThis.fetch;
  original = real;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (LOOPBACK.test(url.hostname) || !/^https?:$/.test(url.protocol)) return real(input, init);
    const test = currentTest();
    const error = new ModelError(
      `A real request to ${url.hostname} was made${test === undefined ? '' : ` in the test "${test}"`}. Give the runner a model for tests: createTestRunner({ model: scripted([...]) }).`,
    );
    refused.push(error);
    return Promise.reject(error);
  };
}

/**
 * Takes `forbidRealRequests` back: for a suite that means to ask a real provider.
 * @example beforeAll(allowRealRequests);
 */
export function allowRealRequests(): void {
  if (original !== undefined) globalThis.fetch = original;
  original = undefined;
}

/**
 * Checks that no real request was made since the last check.
 * @throws ModelError for the first that was refused, also when the code under test swallowed the refusal
 * @example afterEach(assertNoRealRequests);
 */
export function assertNoRealRequests(): void {
  const [first] = refused;
  refused = [];
  if (first !== undefined) throw first;
}
