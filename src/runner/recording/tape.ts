import type { Environment } from '../../types/environment';
import type { Model } from '../../models/model';
import type { Message } from '../../types/message';
import type { State } from '../../types/state-operation';
import type { AnswerPiece } from '../../types/run-record';
import type { Emitter } from '../signals/emitter';
import type { Interruption } from '../signals/interruption';

/** The part of a run that is ready which a tape looks at. */
export interface TapedRun {
  readonly runId: string;
  readonly agent: { readonly name: string };
  readonly model: Pick<Model, 'name' | 'capabilities'>;
  readonly input: readonly Message[];
  readonly history: readonly Message[];
  readonly memory: State;
  readonly metadata: { readonly [key: string]: unknown };
  readonly emitter: Emitter;
  readonly interruption: Interruption;
}

/** Where everything passes by that a run asks of the world: written down while it happens, or read from what was written down. */
export interface Tape {
  /** The run's time and ids. Between steps time stands still, so that a replay reads the same. */
  readonly environment: Environment;
  /** The run is ready. */
  begin(run: TapedRun, options: object): void;
  /**
   * One step: performed and written down, or read.
   * @param about what is asked, as plain data
   * @param tell is given the pieces that came before the outcome, where they are read
   */
  step<T>(name: string, about: () => unknown, perform: () => Promise<T>, tell?: (piece: AnswerPiece) => void): Promise<T>;
  /** Tells of a piece that comes within the step that is performed, while the clock stands at that moment. */
  piece(piece: AnswerPiece, tell: (piece: AnswerPiece) => void): void;
  /** The run is over. */
  end(): void;
}
