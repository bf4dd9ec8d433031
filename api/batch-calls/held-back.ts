import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Recipient } from '../../contacts/contacts.js';
import { numberTimeZones } from '../../contacts/number-time-zones.js';
import type { Db } from '../../db/client.js';
import { attemptsSince, type GuardrailsInForce } from '../../db/queries/accounts/guardrails.js';
import { type CallingWindow, nextOpening, recipientZone, zonesOfWindow } from '../../domain/call/calling-window.js';
import {
  type CalleeHours,
  commonOpening,
  dayOfCallee,
  type GuardrailRefusal,
  hoursWindow,
  refusalOf,
  zonesOfCallee,
} from '../../domain/account/guardrails.js';
import { dialedCountry } from '../../domain/phone/number-kind.js';
import { timeZonesOf } from '../../domain/phone/phone-time-zones.js';
import { instant } from '../fields.js';

const reasons = [
  'do_not_call',
  'country_not_allowed',
  'premium_rate_number',
  'satellite_number',
  'calling_hours',
  'calling_window',
  'guardrail_hours',
  'daily_limit',
] as const;
type Reason = (typeof reasons)[number];

export const HeldBack = z
  .array(
    z
      .strictObject({
        reason: z
          .enum(reasons)
          .describe(
            'do_not_call: rejected rows. country_not_allowed, premium_rate_number, satellite_number, calling_hours (no hour of ' +
              'the account and of the calling window is open in all time zones of the number): the call would end failed. calling_window, guardrail_hours, daily_limit: ' +
              'it would wait',
          ),
        count: z.int().describe('Numbers held back by this; each number counts for one reason'),
        until: instant().nullable().describe('When the first of those that wait could be called; null of the others'),
        untilLast: instant().nullable().describe('When the last of them could'),
        rows: z.array(z.int()).describe('The first 10 rows of the file'),
      })
      .meta({ id: 'HeldBack' }),
  )
  .describe('What guardrails, do-not-call list and window would hold back at the start or `notBefore`; empty: nothing');

const mostRows = 10;
/** Numbers that one report looks at: judging takes some fifty microseconds of the processor for each. */
const mostJudged = 50_000;
const judgedAtOnce = 200;

interface Held {
  count: number;
  firstMs: number;
  lastMs: number;
  readonly rows: number[];
}

export interface HeldBackOptions {
  readonly db: Db;
  readonly accountId: string;
  readonly inForce: GuardrailsInForce;
  readonly fromNumber: string;
  readonly window: CallingWindow | null;
  /** Zone of callees whose zone is unknown. */
  readonly timezone: string;
  /** When the batch would start. */
  readonly startsAt: Date;
}

type Verdict = { readonly reason: Reason; readonly opensAt: Date | null } | null;

/** The start of the batch, or the instant of its own before which a recipient is not called, if that is later. */
const askedFor = (startsAt: Date, { notBefore }: Recipient): Date =>
  notBefore === undefined ? startsAt : new Date(Math.max(startsAt.getTime(), Date.parse(notBefore)));

/**
 * Judges recipients as the dialer will, at the start of their batch or at their own `notBefore`, and counts whom what holds back:
 * a recipient who wants to be called later is not held back until then.
 */
export function heldBackBy({ db, accountId, inForce, fromNumber, window, timezone, startsAt }: HeldBackOptions) {
  const { guardrails, homeCountries } = inForce;
  const held = new Map<Reason, Held>();
  const dialedBefore = new Map<string, number>();
  const countries = new Map<string, number>();
  let judged = 0;
  let firstCallMs = Infinity;

  function count(reason: Reason, row: number, opensAt: Date | null): void {
    const entry = held.get(reason) ?? { count: 0, firstMs: Infinity, lastMs: -Infinity, rows: [] };
    held.set(reason, entry);
    entry.count += 1;
    if (entry.rows.length < mostRows) entry.rows.push(row);
    if (opensAt === null) return;
    entry.firstMs = Math.min(entry.firstMs, opensAt.getTime());
    entry.lastMs = Math.max(entry.lastMs, opensAt.getTime());
  }

  /** Hours of the account and of the batch. */
  function waitFor(ofNumber: readonly string[], timeZones: readonly string[] | null, from: Date): Verdict {
    const own: CalleeHours = { timeZones, callingWindow: window, batchTimezone: timezone };
    const hours = guardrails.callingHours;
    const ofBatch =
      window === null
        ? null
        : { window, zones: zonesOfWindow(window, window.timezone === recipientZone ? timeZones : null, timezone) };
    const ofAccount = hours.map((each) => hoursWindow(each, zonesOfCallee(ofNumber, own.timeZones)));
    const windows = [...(ofBatch === null ? [] : [ofBatch]), ...ofAccount];
    if (windows.length === 0) return null;
    const opening = commonOpening(windows, from);
    if (opening === null) return { reason: 'calling_hours', opensAt: null };
    if (opening.opensAt <= from) return null;
    const byBatch = ofBatch === null ? null : nextOpening(ofBatch.window, ofBatch.zones, from);
    const reason = byBatch !== null && byBatch.opensAt > from ? 'calling_window' : 'guardrail_hours';
    return { reason, opensAt: opening.opensAt };
  }

  async function judge(recipients: readonly Recipient[]): Promise<void> {
    const zones = recipients.map(({ phoneNumber }) => timeZonesOf(phoneNumber, numberTimeZones()));
    const most = guardrails.maxAttemptsPerNumberPerDay;
    const asked = recipients.map((recipient) => askedFor(startsAt, recipient));
    const days =
      most === null ? [] : zones.map((each, place) => dayOfCallee(zonesOfCallee(each, null), asked[place] ?? startsAt));
    const counted = days.map(({ since }, place) => ({ e164: recipients[place]?.phoneNumber ?? '', since }));
    const made = counted.length === 0 ? [] : await attemptsSince(db, accountId, counted);
    recipients.forEach(({ row, phoneNumber, timeZones = null }, place) => {
      const refusal: GuardrailRefusal | null = refusalOf(guardrails, homeCountries, fromNumber, phoneNumber);
      if (refusal !== null) {
        count(refusal, row, null);
        return;
      }
      const day = days[place];
      const dayOfNumber = `${phoneNumber} ${day?.since.getTime() ?? ''}`;
      const before = dialedBefore.get(dayOfNumber) ?? 0;
      if (most !== null) dialedBefore.set(dayOfNumber, before + 1);
      const limited = day !== undefined && most !== null && (made[place] ?? 0) + before >= most;
      const from = limited ? day.until : (asked[place] ?? startsAt);
      const waits = waitFor(zones[place] ?? [], timeZones, from);
      if (waits?.reason === 'calling_hours') {
        count('calling_hours', row, null);
        return;
      }
      const country = dialedCountry(phoneNumber);
      countries.set(country, (countries.get(country) ?? 0) + 1);
      const opensAt = waits?.opensAt ?? from;
      firstCallMs = Math.min(firstCallMs, opensAt.getTime());
      if (limited) count('daily_limit', row, opensAt);
      else if (waits !== null) count(waits.reason, row, opensAt);
    });
  }

  return {
    /** Takes recipients in the order of the file. */
    async add(recipients: readonly Recipient[]): Promise<void> {
      const wanted = recipients.slice(0, mostJudged - judged);
      for (let from = 0; from < wanted.length; from += judgedAtOnce) {
        await judge(wanted.slice(from, from + judgedAtOnce));
        await nextTurn(); // other requests go on between two pieces
      }
      judged += wanted.length;
    },

    /** A row that is rejected because its number is on the do-not-call list. */
    addDoNotCall: (row: number) => count('do_not_call', row, null),

    /** What came of it. `refused`: calls that would end failed; `countries`: how many of the others go to each. */
    result() {
      const iso = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);
      const countOf = (reason: Reason): number => held.get(reason)?.count ?? 0;
      return {
        judged,
        countries,
        refused:
          countOf('country_not_allowed') +
          countOf('premium_rate_number') +
          countOf('satellite_number') +
          countOf('calling_hours'),
        firstCallAt: iso(firstCallMs),
        heldBack: reasons.flatMap((reason) => {
          const entry = held.get(reason);
          if (entry === undefined) return [];
          return [
            { reason, count: entry.count, until: iso(entry.firstMs), untilLast: iso(entry.lastMs), rows: entry.rows },
          ];
        }),
      };
    },
  };
}
