import { sql } from 'kysely';
import type { Db } from '../../db/client.js';
import { answerHoldsSeconds, lostAfterMs } from '../../domain/batch/pre-dial.js';
import { refText, type CarrierLeg } from './carrier.js';
import { wordsOf } from './records.js';
import { batchId, numberAt, type PlannedCall, type Setting } from './setting.js';
import { preDialTimeoutMs } from './pre-dial-setting.js';
import { numberCount } from './scenario.js';

/** Of whom the endpoint is asked. */
interface Asked {
  readonly phoneNumber: string;
  readonly attempt: number;
}

export type Verdict = 'eligible' | 'refused' | 'left out';

/** From the statement that the gate answered to the moment in which its dialer hears it, at most. */
const gateTakesMs = 30_000;

const placeOf = (e164: string): number => Number(e164.slice(-3)) - 100;

/** What the endpoint says of a number: some are never to be called, and some are left out of the first answers. */
export function verdictOn(e164: string, timesLeftOut: number): Verdict {
  const place = placeOf(e164);
  if (place % 5 === 3) return 'refused';
  return place % 7 === 5 && timesLeftOut < 1 ? 'left out' : 'eligible';
}

const refused = Array.from({ length: numberCount }, (_none, place) => numberAt(place)).filter(
  (e164) => verdictOn(e164, 0) === 'refused',
);

/** What the endpoint that is asked before calls has been asked and has said. */
export interface PreDialJudge {
  asked(question: { readonly batchId: string; readonly records: readonly Asked[] }): void;
  /** @param usable whether it said anything of anybody */
  answered(question: { readonly batchId: string; readonly records: readonly Asked[] }, usable: boolean): void;
  timesLeftOut(asked: Asked): number;
  /** @returns what an INVITE breaks, in words */
  broken(leg: CarrierLeg, call: PlannedCall, gateMs: number): string[];
  /** What must hold at any moment. */
  wrongNow(db: Db): Promise<string[]>;
}

const keyOf = (batch: string, { phoneNumber, attempt }: Asked): string => `${batch} ${phoneNumber} ${attempt}`;

/**
 * Judges by what the endpoint itself has said: nobody is dialed whom it has not cleared for this attempt within a minute, and nobody
 * ends as refused whom it has not refused. A batch that says so dials those of whom it said nothing usable.
 */
export function createPreDialJudge(setting: Setting, nowMs: () => number): PreDialJudge {
  const rules = new Map(setting.batches.map(({ preDial }, place) => [batchId(place), preDial]));
  const cleared = new Map<string, number>();
  const asked = new Map<string, number>();
  const leftOut = new Map<string, number>();

  return {
    asked({ batchId: batch, records }) {
      for (const record of records) asked.set(keyOf(batch, record), nowMs());
    },
    timesLeftOut: ({ phoneNumber }) => leftOut.get(phoneNumber) ?? 0,
    answered({ batchId: batch, records }, usable) {
      if (!usable) return;
      for (const record of records) {
        const verdict = verdictOn(record.phoneNumber, leftOut.get(record.phoneNumber) ?? 0);
        if (verdict === 'eligible') cleared.set(keyOf(batch, record), nowMs());
        if (verdict === 'left out') leftOut.set(record.phoneNumber, (leftOut.get(record.phoneNumber) ?? 0) + 1);
      }
    },
    broken(leg, { batch, to }, gateMs) {
      const rule = batch === null ? null : (rules.get(batch) ?? null);
      if (batch === null || rule === null) return [];
      const key = keyOf(batch, { phoneNumber: to, attempt: leg.ref.attempt });
      const saidMs = rule === 'dial' ? asked.get(key) : cleared.get(key);
      const name = `INVITE ${refText(leg.ref)} to ${to}`;
      if (saidMs === undefined) {
        const isRefused = verdictOn(to, Infinity) === 'refused';
        return [`${name} left though the pre-dial endpoint had ${isRefused ? 'refused' : 'not cleared'} it`];
      }
      const oldestMs = answerHoldsSeconds * 1_000 + preDialTimeoutMs + lostAfterMs + gateTakesMs;
      if (gateMs - saidMs <= oldestMs) return [];
      return [`${name} left ${gateMs - saidMs} ms after the pre-dial endpoint had cleared it`];
    },
    async wrongNow(db) {
      if (setting.batches.every(({ preDial }) => preDial === null)) return [];
      return wordsOf(
        db,
        sql`
          select 'call ' || c.id || ' ended as ' || c.reason || ', which its endpoint never said' as words
          from calls c join batches b on b.id = c.batch_id
          where (c.reason = 'pre_dial_refused' and (b.pre_dial is null or c.to_number <> all (${refused}::text[])))
            or (c.reason = 'pre_dial_unanswered' and b.pre_dial ->> 'onError' is distinct from 'skip')`,
      );
    },
  };
}
