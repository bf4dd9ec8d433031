import type { CarrierLeg } from './carrier.js';
import type { Dialers } from './dialers.js';
import type { Engine } from './engine.js';
import type { Operator } from './operator.js';
import type { Scenario } from './scenario.js';
import type { VirtualTime } from './time.js';
import type { CallingNumber } from './judge-numbers.js';
import type { PlannedCall } from './setting.js';

/** What a move does; `which` and `how` are its own. */
export type Act = (which: number, how: number) => Promise<void> | void;

/** One of what there is to choose from; undefined if there is nothing. */
export const chosen = <T>(all: readonly T[], which: number): T | undefined => all[which % Math.max(1, all.length)];

/** What moves have to do with. */
export interface MovesDeps {
  readonly scenario: Scenario;
  readonly time: VirtualTime;
  readonly engine: Engine;
  readonly dialers: Dialers;
  readonly operator: Operator;
  readonly order: (what: string, work: () => Promise<void>) => void;
  readonly note: (words: string) => void;
  readonly batches: readonly string[];
  /** That calls go out from. */
  readonly numbers: readonly CallingNumber[];
  /** What the carrier has been sent so far. */
  readonly legs: readonly CarrierLeg[];
  /** All calls of the scenario. */
  readonly calls: readonly PlannedCall[];
}
