import { beyondPlan, dialedTwice } from './attempts.js';
import { judgeEnd, judgeSingle, judgeWebhooks } from './ends.js';
import type { Evidence, Violation } from './evidence.js';
import { type Leg, msOf, type ReadLedger, readLedger } from './legs.js';
import { completedTooSoon, tooEarly } from './recipients.js';
import { beyondNumberLimits, wrongCaller } from './numbers.js';
import { againstAccount, againstBatch, batchTooBusy, reservedTaken } from './orders.js';
import { sharedByWeight } from './shares.js';
import { afterAnswers, afterCost, afterStop, afterSuccesses, costNotTrue, stopNotMeant } from './stops.js';

/** The ledger's rate check looks ten seconds back. */
const rateWindowMs = 12_000;

/** Calls per second that were exceeded while pauses between the processes had bunched INVITEs: seen, and not judged. */
export interface Judgement {
  readonly violations: readonly Violation[];
  readonly ratesExcused: number;
  /** Calls that a batch was ahead of its share by priority, at most. */
  readonly aheadOfShare: number;
}

/** Judges a soak by what its customers and its carrier saw. Pure: the same evidence, the same judgement. */
export function judge(evidence: Evidence): Judgement {
  const ledger = readLedger(evidence.ledger);
  const rang = new Set(
    evidence.ledger.flatMap(({ event, callId, attempt, invite }) =>
      event === 'ringing' ? [`${callId ?? ''}/${attempt ?? 0}/${invite ?? 0}`] : [],
    ),
  );
  const accounts = new Map(evidence.accounts.map((account) => [account.account, account]));
  const owners = new Map(evidence.accounts.flatMap((account) => account.gatewayIds.map((id) => [id, account])));
  const rates = judgeLimits(evidence, ledger);
  const violations = [
    ...ledger.repeated.map((line): Violation => ({
      rule: 'twice',
      what: `${line.callId ?? ''} (${line.to ?? ''}) attempt ${line.attempt ?? 0} invite ${line.invite ?? 0} was sent again`,
      ...{ atMs: msOf(line), about: [line.callId ?? '', line.to ?? ''] },
    })),
    ...[...ledger.calls.values()].flatMap(dialedTwice),
    ...rates.violations,
    ...twoAtOnce(ledger.legs, new Map([...owners].map(([id, { account }]) => [id, account]))),
    ...ledger.legs.flatMap((leg) => {
      const account = owners.get(leg.gatewayId);
      return account === undefined ? [stranger(leg)] : againstAccount(leg, account, evidence.roadHeld);
    }),
  ];

  const batchOfNumber = new Map(evidence.batches.flatMap((batch) => batch.numbers.map((number) => [number, batch])));
  const singleNumbers = new Set(evidence.singles.map(({ number }) => number));
  const callsOfBatch = new Map<string, Leg[]>();
  for (const call of ledger.calls.values()) {
    const batch = batchOfNumber.get(call.to);
    if (batch === undefined) {
      if (evidence.over && !singleNumbers.has(call.to)) violations.push(...call.legs.slice(0, 1).map(stranger));
      continue;
    }
    violations.push(...beyondPlan(call, batch, { rang, roadHeld: evidence.roadHeld }));
    violations.push(...tooEarly(call, batch, evidence.roadHeld));
    violations.push(...call.legs.flatMap((leg) => againstBatch(leg, batch, evidence.roadHeld)));
    violations.push(...call.legs.flatMap((leg) => afterStop(batch, leg, evidence.roadHeld)));
    violations.push(...wrongCaller(call, batch, accounts.get(batch.account)?.numbers ?? []));
    callsOfBatch.set(batch.batchId, [...(callsOfBatch.get(batch.batchId) ?? []), ...call.legs]);
  }
  violations.push(...oneCallEach(ledger));
  const held = evidence.roadHeld;
  for (const account of evidence.accounts) {
    const own = ledger.legs.filter(({ gatewayId }) => account.gatewayIds.includes(gatewayId));
    const ofBatches = own.filter(({ to }) => batchOfNumber.has(to));
    violations.push(...beyondNumberLimits(account, own, held));
    violations.push(...reservedTaken(account, ofBatches, evidence));
  }

  const partsOf = (account: string) => ({
    ...{ ledger, rang, account: accounts.get(account), roadHeld: evidence.roadHeld },
  });
  for (const batch of evidence.batches) {
    const { end, batchId } = batch;
    const own = callsOfBatch.get(batchId) ?? [];
    violations.push(
      ...batchTooBusy(batch, own, held),
      ...afterAnswers(batch, own, evidence),
      ...afterCost(batch, own, evidence),
      ...afterSuccesses(batch, own, held),
    );
    if (end === 'stuck') violations.push(stuck('batch', batchId));
    else if (end !== undefined) {
      violations.push(...judgeEnd(batch, end, partsOf(batch.account)));
      for (const what of costNotTrue(batch, end, own, accounts.get(batch.account))) {
        violations.push({ rule: 'cost', what: `${batchId}: ${what}`, atMs: end.completedAtMs, about: [batchId] });
      }
      for (const what of stopNotMeant(batch, end, own)) {
        violations.push({ rule: 'stop', what: `${batchId}: ${what}`, atMs: end.completedAtMs, about: [batchId] });
      }
      for (const what of completedTooSoon(batch, end, own, held)) {
        violations.push({ rule: 'completed', what: `${batchId}: ${what}`, atMs: end.completedAtMs, about: [batchId] });
      }
      if (evidence.over) violations.push(...judgeWebhooks(batch, end, evidence.webhooks));
    }
  }
  const shared = sharedByWeight(evidence.batches, callsOfBatch);
  violations.push(...shared.violations);
  for (const single of evidence.singles) {
    if (single.end === 'stuck') violations.push(stuck('call', single.callId));
    violations.push(...judgeSingle(single, partsOf(single.account)));
  }
  for (const { verified, webhookId, batchId } of evidence.webhooks) {
    if (verified) continue;
    const what = `webhook ${webhookId} has a signature that does not fit`;
    violations.push({ rule: 'webhook', what, atMs: Date.now(), about: [webhookId, batchId] });
  }
  return { violations, ratesExcused: rates.excused, aheadOfShare: shared.mostAhead };
}

const stuck = (what: string, id: string): Violation => ({
  ...{ rule: 'stuck', what: `${what} ${id} did not come to its end`, atMs: Date.now(), about: [id] },
});

const stranger = (leg: Leg): Violation => ({
  rule: 'stranger',
  what: `${leg.callId} (${leg.to}) was dialed, and no order is known that asks for it`,
  ...{ atMs: leg.atMs, about: [leg.callId, leg.to] },
});

/** A number is asked for once in a soak: two calls to it are a request that was carried out twice. */
function oneCallEach({ calls }: ReadLedger): Violation[] {
  const callOf = new Map<string, string>();
  return [...calls.values()].flatMap(({ callId, to, legs }) => {
    const other = callOf.get(to);
    callOf.set(to, callId);
    if (other === undefined) return [];
    return [
      {
        rule: 'twice',
        what: `${to} was dialed for ${other} and ${callId}`,
        atMs: legs[0]?.atMs ?? 0,
        about: [to, other, callId],
      },
    ];
  });
}

/** A number is in one live call of an account at most. */
function twoAtOnce(legs: readonly Leg[], accountOf: ReadonlyMap<string, string>): Violation[] {
  const latest = new Map<string, Leg>();
  return legs.flatMap((leg) => {
    const key = `${accountOf.get(leg.gatewayId) ?? ''} ${leg.to}`;
    const before = latest.get(key);
    latest.set(key, leg);
    if (before === undefined || before.callId === leg.callId || (before.end?.atMs ?? Infinity) <= leg.atMs) return [];
    const what = `${leg.to} was dialed for ${leg.callId} while ${before.callId} was live`;
    return [{ rule: 'twice', what, atMs: leg.atMs, about: [leg.to, leg.callId, before.callId] }];
  });
}

function judgeLimits({ paceHeld }: Evidence, { limits }: ReadLedger): { violations: Violation[]; excused: number } {
  const wasHeld = (atMs: number) =>
    paceHeld.some(({ fromMs, untilMs }) => fromMs <= atMs && untilMs >= atMs - rateWindowMs);
  const judged = limits.filter((line) => line.reason !== 'calls_per_second' || !wasHeld(msOf(line)));
  return {
    violations: judged.map((line) => ({
      rule: line.reason === 'channels' ? 'concurrency' : 'rate',
      what: `${line.callId ?? ''} (${line.to ?? ''}) was sent beyond the limit of ${line.gatewayId ?? ''}: ${line.reason ?? ''}`,
      ...{ atMs: msOf(line), about: [line.callId ?? '', line.to ?? '', line.gatewayId ?? ''] },
    })),
    excused: limits.length - judged.length,
  };
}
