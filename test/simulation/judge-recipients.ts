import { sql } from 'kysely';
import type { Db } from '../../db/client.js';
import { refText, type CarrierLeg } from './carrier.js';
import { createChanging, type Changing } from './changing.js';
import { wordsOf } from './records.js';
import { batchId, plannedCalls, type BatchSetting, type PlannedCall, type Setting } from './setting.js';

/** PostgreSQL counts in microseconds. */
const roundedMs = 1;

/** Requests to call a recipient again. */
interface Again {
  /** When each was asked that was answered with 200, or whose answer was lost. */
  readonly askedMs: number[];
  accepted: number;
}

/** What requests have said of single recipients, and of batches that stay open for more. */
export interface Recipients {
  /** All there are, those that were added among them. */
  readonly calls: readonly PlannedCall[];
  get(callId: string): PlannedCall | undefined;
  /** They are about to be committed. */
  adding(calls: readonly PlannedCall[], notBeforeMs: number | null): void;
  /** The request to add them was answered. @param ids their ids, given by who asked for them */
  added(batch: string, ids: readonly string[]): void;
  notBefore(callId: string): Changing<number | null>;
  /** @returns what to call with the answer; without one it may have been done, or be done yet */
  askedAgain(callId: string, nowMs: number): (done: boolean) => void;
  readonly again: (callId: string) => Again | undefined;
  /** The batch may end by itself from now on. */
  mayEnd(batch: string): void;
  /** @returns what an INVITE breaks, in words */
  broken(leg: CarrierLeg, legs: readonly CarrierLeg[], gateStep: number): string[];
  /** What must hold at any moment. */
  wrongNow(db: Db): Promise<string[]>;
  /** What must hold when nothing is left to do. */
  wrongAtEnd(db: Db): Promise<string[]>;
}

export function createRecipients(setting: Setting): Recipients {
  const calls = plannedCalls(setting);
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const accepted = new Map<string, { readonly batch: string; readonly id: string }>();
  const instants = new Map<string, Changing<number | null>>();
  const agains = new Map<string, Again>();
  // One that stops by itself completes, open or not.
  const mayStop = ({ stopAfter, stopAfterSuccess, untilSeconds }: BatchSetting): boolean =>
    stopAfter !== null || stopAfterSuccess !== null || untilSeconds !== null;
  const staysOpen = new Set(
    setting.batches.flatMap((batch, place) => (batch.open && !mayStop(batch) ? [batchId(place)] : [])),
  );

  function notBefore(callId: string): Changing<number | null> {
    const known = instants.get(callId) ?? createChanging<number | null>(null);
    instants.set(callId, known);
    return known;
  }

  return {
    calls,
    get: (callId) => byId.get(callId),
    adding(added, notBeforeMs) {
      for (const call of added) {
        calls.push(call);
        byId.set(call.callId, call);
        instants.set(call.callId, createChanging(notBeforeMs));
      }
    },
    added(batch, ids) {
      for (const id of ids) accepted.set(`${batch} ${id}`, { batch, id });
    },
    notBefore,
    askedAgain(callId, nowMs) {
      const known = agains.get(callId) ?? { askedMs: [], accepted: 0 };
      agains.set(callId, known);
      known.askedMs.push(nowMs);
      return (done) => {
        if (done) known.accepted += 1;
        else known.askedMs.splice(known.askedMs.lastIndexOf(nowMs), 1);
      };
    },
    again: (callId) => agains.get(callId),
    mayEnd: (batch) => void staysOpen.delete(batch),

    broken(leg, legs, gateStep) {
      const broken: string[] = [];
      const { callId } = leg.ref;
      const instant = instants.get(callId)?.at(gateStep) ?? [null];
      const first = Math.min(...instant.map((ms) => ms ?? -Infinity));
      const isFirst = !legs.some((other) => other !== leg && other.ref.callId === callId && !other.free);
      if (isFirst && leg.placedMs < first - roundedMs) {
        broken.push(`INVITE ${refText(leg.ref)} left ${first - leg.placedMs} ms before its notBefore`);
      }
      const asked = agains.get(callId)?.askedMs ?? [];
      const since = Math.min(...asked);
      const own = legs.filter(({ ref }) => ref.callId === callId);
      const before = new Set(own.filter(({ placedMs }) => placedMs < since).map(({ ref }) => ref.attempt));
      const after = new Set(own.filter(({ placedMs }) => placedMs >= since).map(({ ref }) => ref.attempt));
      const more = [...after].filter((attempt) => !before.has(attempt)).length;
      if (asked.length > 0 && more > asked.length) {
        broken.push(`INVITE ${refText(leg.ref)} is attempt ${more} after ${asked.length} requests to call again`);
      }
      return broken;
    },

    async wrongNow(db) {
      const open = [...staysOpen];
      return wordsOf(
        db,
        sql`
          select 'recipient ' || z.id || ' was added, and is not there' as words
          from unnest(${[...accepted.values()].map(({ batch }) => batch)}::text[],
            ${[...accepted.values()].map(({ id }) => id)}::text[]) as z (batch, id)
          where not exists (select 1 from calls c where c.batch_id = z.batch and c.recipient_id = z.id)
          union all
          select 'recipient ' || recipient_id || ' was added ' || count(*) || ' times' from calls
          where recipient_id is not null group by batch_id, recipient_id having count(*) > 1
          union all
          select 'batch ' || id || ' is completed while it is open' from batches
          where status = 'completed' and id = any (${open}::text[])
          union all
          select 'batch ' || b.id || ' is completed while its call ' || c.id || ' is ' || c.status
          from batches b join calls c on c.batch_id = b.id and not c.settled where b.status = 'completed'`,
      );
    },

    async wrongAtEnd(db) {
      const wrong: string[] = [];
      const { rows } = await sql<{ id: string; status: string; made: number }>`
        select c.id, c.status, (select count(*) from call_attempts a where a.call_id = c.id and a.again)::integer as made
        from calls c where c.id = any (${[...agains.keys()]}::uuid[])`.execute(db);
      for (const { id, status, made } of rows) {
        const { accepted: least = 0, askedMs = [] } = agains.get(id) ?? {};
        const dialed = ['answered', 'rejected', 'not-answered', 'missed'].includes(status);
        if (made > askedMs.length || (dialed && made < least)) {
          wrong.push(`call ${id} is ${status} after ${made} attempts again, and was called again by ${least} requests`);
        }
      }
      return wrong;
    },
  };
}
