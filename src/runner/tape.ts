import type { Environment } from '../types/environment';
import type { RunSetup } from './run-setup';

/** Where everything passes by that a run asks of the world: written down while it happens, or read from what was written down. */
export interface Tape {
  /** The run's time and ids. Between steps time stands still, so that a replay reads the same. */
  readonly environment: Environment;
  /** The run is ready. */
  begin(setup: RunSetup, options: object): void;
  /**
   * One step: performed and written down, or read.
   * @param about what is asked, as plain data
   * @param reread does, with an outcome that was read, what performing it would have done beside
   */
  step<T>(name: string, about: () => unknown, perform: () => Promise<T>, reread?: (outcome: T) => void): Promise<T>;
  /** Lets a moment pass that stands inside a step that is read. */
  passTo(at: number): void;
  /** The run is over. */
  end(): void;
}
