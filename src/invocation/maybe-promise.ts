/** A value now, or later: most steps of most calls need no waiting. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether a value must be awaited. A `then` that throws when it is read throws here. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { readonly then?: unknown }).then === 'function'
  );
}

/** Goes on with a value, at once when it is there. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
