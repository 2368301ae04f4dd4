/** A script that somebody watches: it can say what is wrong with how it was used. */
export interface WatchedScript {
  assertFinished(): void;
}

let watched: Set<WatchedScript> | undefined;

/**
 * From now on scripts that are made belong to the test that runs. Called before each test by `toolwright/testing/jest`.
 * @example beforeEach(watchScripts);
 */
export function watchScripts(): void {
  watched = new Set();
}

/** Makes a script known; one that is made outside of a test belongs to nobody and is not checked by itself. */
export function registerScript(script: WatchedScript): void {
  watched?.add(script);
}

/**
 * Fails when a script that was made since `watchScripts()` ran out, has steps left, or saw something unexpected, even when
 * the code under test swallowed that. Called after each test by `toolwright/testing/jest`; call it yourself elsewhere.
 * @example afterEach(assertScriptsFinished);
 */
export function assertScriptsFinished(): void {
  const scripts = watched ?? new Set();
  watched = undefined;
  for (const script of scripts) script.assertFinished();
}
