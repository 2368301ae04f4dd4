/** A path into the run's state: `'user.name'`, or keys and indexes written out. */
export type StatePath = string | readonly (string | number)[];

/** One change of the run's state. */
export type StateOperation =
  | { readonly op: 'set'; readonly path: StatePath; readonly value: unknown }
  | { readonly op: 'merge'; readonly path: StatePath; readonly value: { readonly [key: string]: unknown } }
  | { readonly op: 'append'; readonly path: StatePath; readonly value: unknown }
  | { readonly op: 'delete'; readonly path: StatePath }
  | {
      readonly op: 'mergeItem';
      readonly path: StatePath;
      readonly key: string;
      readonly id: unknown;
      readonly value: { readonly [key: string]: unknown };
    }
  | { readonly op: 'removeItem'; readonly path: StatePath; readonly key: string; readonly id: unknown };

/** The run's memory: plain data. */
export type State = { readonly [key: string]: unknown };
