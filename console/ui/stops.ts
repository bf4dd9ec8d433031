import type { Schemas } from '../api/schemas.js';
import { instantOf, momentField } from './moment-values.js';
import { typedNumber } from './typed-number.js';

/** What a batch call stops after, as it is chosen. */
export interface Stops {
  readonly stopWhat: 'nothing' | 'answered' | 'success';
  readonly stopCount: string;
  /** As a field for a moment has it; empty: at no instant. */
  readonly stopsAt: string;
  /** In the currency of the account's prices; empty: any amount. */
  readonly maxCost: string;
  /** 1 to 9 */
  readonly priority: string;
}

export const noStops: Stops = { stopWhat: 'nothing', stopCount: '', stopsAt: '', maxCost: '', priority: '5' };

/** What fields show of what there is. */
export function stopsOf(
  set: Partial<Pick<Schemas['BatchCallDetail'], 'stopAfter' | 'until' | 'maxCost' | 'priority'>>,
): Stops {
  const { stopAfter, until, maxCost, priority } = set;
  const [stopWhat, count] =
    stopAfter === undefined
      ? (['nothing', ''] as const)
      : 'answered' in stopAfter
        ? (['answered', stopAfter.answered] as const)
        : (['success', stopAfter.success] as const);
  return {
    stopWhat,
    stopCount: String(count),
    stopsAt: until === undefined ? '' : momentField(new Date(until)),
    maxCost: String(maxCost ?? ''),
    priority: String(priority ?? noStops.priority),
  };
}

/** What is sent for the count; null: everybody is called. */
export function stopAfterOf({ stopWhat, stopCount }: Stops): { answered: number } | { success: number } | null {
  if (stopWhat === 'nothing') return null;
  const count = typedNumber(stopCount.trim());
  return stopWhat === 'answered' ? { answered: count } : { success: count };
}

export const untilOf = ({ stopsAt }: Stops): string | null => (stopsAt === '' ? null : instantOf(stopsAt));

/** What is sent for the amount; null: any. */
export const maxCostOf = ({ maxCost }: Stops): number | null =>
  maxCost.trim() === '' ? null : typedNumber(maxCost.trim());
