/** All who wait for one signal, behind a single listener: a signal with more than ten listeners makes the platform warn of a leak. */
class Watch {
  readonly listeners = new Set<() => void>();

  handleEvent(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

const watches = new WeakMap<AbortSignal, Watch>();

/** Calls back once when the signal aborts. The returned function stops watching; after the last one nothing is left on the signal. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let watch = watches.get(signal);
  if (watch === undefined) watches.set(signal, (watch = new Watch()));
  const { listeners } = watch;
  if (listeners.size === 0) signal.addEventListener('abort', watch);
  listeners.add(listener);
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) signal.removeEventListener('abort', watch);
  };
}
