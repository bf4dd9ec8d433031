import type { Db } from '../../db/client.js';
import type { AuditScope, Violation } from '../../db/queries/audit/invariants.js';
import { dialedFromLimited, limitedNumbers, type LimitedNumber } from '../../db/queries/audit/number-limits.js';

interface Made {
  /** Calls of each day, since the number has its present limit. */
  readonly ofDay: Map<string, number>;
  /** Milliseconds since 1970, since it has its present spacing. */
  readonly atMs: number[];
}

/** What numbers made beyond the limits that they have now, since they have them. Nothing is read if no number has limits. */
export async function beyondNumberLimits(
  db: Db,
  scope: AuditScope,
  add: (violations: readonly Violation[]) => void,
): Promise<void> {
  const numbers = new Map((await limitedNumbers(db, scope)).map((number) => [number.id, number]));
  if (numbers.size === 0) return;
  const made = new Map<string, Made>();
  for (let after: string | null | undefined = undefined; after !== null;) {
    const page: Awaited<ReturnType<typeof dialedFromLimited>> = await dialedFromLimited(db, scope, after ?? null);
    for (const { numberId, dialedAt, day } of page.dialed) {
      const number = numbers.get(numberId);
      if (number === undefined) continue; // It has got its limits meanwhile.
      const { ofDay, atMs } = made.get(numberId) ?? { ofDay: new Map<string, number>(), atMs: [] };
      made.set(numberId, { ofDay, atMs });
      if (isSince(dialedAt, number.maxSince)) ofDay.set(day, (ofDay.get(day) ?? 0) + 1);
      if (number.minSecondsBetweenCalls !== null && isSince(dialedAt, number.spacingSince))
        atMs.push(dialedAt.getTime());
    }
    ({ after } = page);
  }
  for (const [id, calls] of made) add(judge(numbers.get(id), calls));
}

/** @param since null: nothing is known of when the limit was set, so nothing is judged by it */
const isSince = (at: Date, since: Date | null): boolean => since !== null && at >= since;

function judge(number: LimitedNumber | undefined, { ofDay, atMs }: Made): Violation[] {
  if (number === undefined) return [];
  const { e164: id, maxCallsPerDay, minSecondsBetweenCalls } = number;
  const tooMany = [...ofDay].flatMap(([day, calls]): Violation[] =>
    maxCallsPerDay === null || calls <= maxCallsPerDay
      ? []
      : [{ invariant: 'number-limits', id, details: `made ${calls} calls on ${day}, of at most ${maxCallsPerDay}` }],
  );
  const sorted = minSecondsBetweenCalls === null ? [] : atMs.toSorted((a, b) => a - b);
  const tooSoon = sorted.flatMap((ms, place): Violation[] => {
    const gapMs = ms - (sorted[place - 1] ?? -Infinity);
    if (gapMs >= (minSecondsBetweenCalls ?? 0) * 1000) return [];
    const at = new Date(ms).toISOString();
    const details = `called at ${at}, ${gapMs / 1000} s after the call before, of at least ${minSecondsBetweenCalls}`;
    return [{ invariant: 'number-limits', id, details }];
  });
  return [...tooMany, ...tooSoon];
}
