import { expectedRecord, waitsForAnotherInvite, whatIsMissing } from './attempts.js';
import type {
  AccountEvidence,
  BatchAnswer,
  BatchEvidence,
  ReceivedWebhook,
  SingleEvidence,
  Violation,
} from './evidence.js';
import type { Interval } from '../journal.js';
import type { ReadLedger } from './legs.js';
import { orderNotKept, wishesNotKept } from './recipients.js';

const settled = new Set(['answered', 'failed', 'not-answered', 'rejected', 'missed', 'abandoned', 'cancelled']);

interface EndParts {
  readonly ledger: ReadLedger;
  readonly rang: ReadonlySet<string>;
  readonly account: AccountEvidence | undefined;
  readonly roadHeld: readonly Interval[];
}

/** No recipient lost, counters that add up, answers that say what the ledger says. */
export function judgeEnd(
  batch: BatchEvidence,
  end: BatchAnswer,
  { ledger, rang, account, roadHeld }: EndParts,
): Violation[] {
  const found: Violation[] = [];
  const { batchId } = batch;
  const wrong = (rule: string, what: string, ...about: string[]) =>
    found.push({ rule, what: `${batchId}: ${what}`, atMs: Date.now(), about: [batchId, ...about] });

  const hangUps = account?.hangUps ?? [];
  /** Nobody was called any more at some time before everybody had been. */
  const isCutShort = batch.cancelAsked || end.stoppedBy !== undefined;
  const recorded = new Map(end.records.map((record) => [record.phoneNumber, record]));
  if (recorded.size !== end.records.length) wrong('lost', 'a number has two records');
  const uploaded = batch.numbers.slice(0, batch.uploaded);
  const neverRead = new Set(
    batch.cancelAsked && end.status === 'cancelled' && !uploaded.some((number) => recorded.has(number)) ? uploaded : [],
  );
  // Cancelled while its file was being read: no number of it was to be called yet, and none may have been.
  for (const { callId, to, legs } of ledger.calls.values()) {
    if (legs.length > 0 && neverRead.has(to)) wrong('cancel', `${callId} (${to}) was dialed`, callId, to);
  }
  // A number that is on the do-not-call list when it is read is rejected, and who was to be added when it was too late is not there.
  const mayLack = (number: string): boolean =>
    account?.optOuts.has(number) === true || batch.doubtful.has(number) || neverRead.has(number);
  const numbers = batch.numbers.filter((number) => recorded.has(number) || !mayLack(number));
  for (const number of numbers) if (!recorded.has(number)) wrong('lost', `${number} has no record`, number);
  if (end.records.length !== numbers.length)
    wrong('lost', `${end.records.length} records of ${numbers.length} numbers`);

  for (const record of end.records) {
    const call = ledger.calls.get(record.callId);
    const about = [record.callId, record.phoneNumber];
    const name = `${record.callId} (${record.phoneNumber})`;
    if (!settled.has(record.status)) wrong('lost', `${name} is still ${record.status}`, ...about);
    if (call !== undefined && call.to !== record.phoneNumber)
      wrong('lost', `${name} was dialed as ${call.to}`, ...about);
    // Told to end before it was dialed, or before anyone knew that it had been.
    if (record.reason === 'ended_by_api' && hangUps.length > 0) continue;
    if (record.status === 'cancelled') {
      const maySkip = record.reason === 'skipped' && batch.skips.has(record.phoneNumber);
      if (!isCutShort && !maySkip) wrong('lost', `${name} is cancelled, and it was not asked for`, ...about);
    } else {
      const optedOut = account?.optOuts.has(record.phoneNumber) === true;
      const missing = whatIsMissing(call, record, { batch, optedOut, hangUps, rang, roadHeld });
      if (missing !== null && !(isCutShort && call !== undefined)) wrong('lost', `${name} ${missing}`, ...about);
    }
    const broken = orderNotKept(batch, record, call, account);
    if (broken !== null && !isCutShort) wrong('orders', `${name} ${broken}`, ...about);
    const unlike = wishesNotKept(batch, record);
    if (unlike !== null) wrong('wishes', `${name} ${unlike}`, ...about);
    const expected = call === undefined ? { status: null, attempts: 0 } : expectedRecord(call, rang);
    if (expected === null) continue;
    const endedWaiting = record.status === 'cancelled' || record.reason === 'do_not_call';
    // An attempt that the carrier did not take waits for another INVITE. A call that is ended meanwhile has not used it up.
    const notUsedUp = endedWaiting && call !== undefined && waitsForAnotherInvite(call) ? 1 : 0;
    // One that was hung up when nobody knew yet that its INVITE had never left is over, and counts.
    const hungUpUnsent = hangUps.length === 0 ? 0 : (ledger.unsent.get(record.callId)?.length ?? 0);
    const counted = [expected.attempts, expected.attempts - notUsedUp, expected.attempts + hungUpUnsent];
    if (!counted.includes(record.attempts)) {
      wrong('answers', `${name} has ${record.attempts} attempts, the ledger ${expected.attempts}`, ...about);
    }
    const mayDiffer = endedWaiting || expected.status === null;
    if (!mayDiffer && record.status !== expected.status) {
      wrong(
        'answers',
        `${name} is ${record.status} (${record.reason ?? ''}), the ledger says ${expected.status}`,
        ...about,
      );
    }
  }

  // Who answered is part of `answered`.
  const { human = 0, machine = 0, ...counts } = end.counts;
  if (human + machine > (counts.answered ?? 0))
    wrong('counters', `answered ${counts.answered}, ${human} by people and ${machine} by machines`);
  const sum = Object.values(counts).reduce((all, count) => all + count, 0);
  if (sum !== end.statsTotal || end.statsTotal !== numbers.length || end.recordsUploaded !== numbers.length) {
    wrong('counters', `counts ${sum}, total ${end.statsTotal}, uploaded ${end.recordsUploaded} of ${numbers.length}`);
  }
  for (const [status, count] of Object.entries(counts)) {
    const records = end.records.filter((record) => record.status === status).length;
    if (records !== count) wrong('counters', `${count} are counted as ${status}, ${records} records are`);
  }
  const attempts = end.records.reduce((all, record) => all + record.attempts, 0);
  if (attempts !== end.statsAttempts)
    wrong('counters', `${end.statsAttempts} attempts counted, ${attempts} in records`);
  const isRight = end.status === 'completed' || (end.status === 'cancelled' && batch.cancelAsked);
  if (!isRight) wrong('end', `it ended ${end.status}`);
  return found;
}

/** Both events once each, signed, and telling the end that the API tells. */
export function judgeWebhooks(
  batch: BatchEvidence,
  end: BatchAnswer,
  webhooks: readonly ReceivedWebhook[],
): Violation[] {
  const found: Violation[] = [];
  const { batchId } = batch;
  const wrong = (what: string) =>
    found.push({ rule: 'webhook', what: `${batchId}: ${what}`, atMs: Date.now(), about: [batchId] });
  const mine = webhooks.filter((webhook) => webhook.batchId === batchId);
  const idsOf = (event: string) =>
    new Set(mine.filter((each) => each.event === event).map(({ webhookId }) => webhookId));
  const [started, completed] = [idsOf('batchcall-started').size, idsOf('batchcall-completed').size];
  // A batch that was cancelled before it began never starts.
  const mayLackStart = batch.cancelAsked && end.records.every(({ attempts }) => attempts === 0);
  if (started > 1 || (started === 0 && !mayLackStart)) wrong(`${started} webhooks batchcall-started`);
  if (completed !== 1) wrong(`${completed} webhooks batchcall-completed`);
  for (const { event, status, recordsUploaded } of mine) {
    if (event !== 'batchcall-completed') continue;
    if (status !== end.status) wrong(`the webhook says ${status}, the API ${end.status}`);
    if (recordsUploaded !== end.recordsUploaded) wrong(`the webhook tells of ${recordsUploaded} records`);
  }
  return found;
}

/** A single call is dialed once, or ends undialed with a reason that says why. */
export function judgeSingle(single: SingleEvidence, { ledger, rang, account }: EndParts): Violation[] {
  const { end, callId, number } = single;
  if (end === undefined || end === 'stuck') return [];
  if (end.reason === 'ended_by_api' && (account?.hangUps.length ?? 0) > 0) return [];
  const call = ledger.calls.get(callId);
  const about = [callId, number];
  const wrong = (rule: string, what: string): Violation[] => [
    { rule, what: `${callId} (${number}) ${what}`, atMs: Date.now(), about },
  ];
  if (call === undefined) {
    const excused = end.reason === 'expired' || (end.reason === 'do_not_call' && account?.optOuts.has(number) === true);
    return end.status === 'failed' && excused
      ? []
      : wrong('lost', `was never dialed and is ${end.status} ${end.reason ?? ''}`);
  }
  const expected = expectedRecord(call, rang);
  if (expected === null) return wrong('lost', `is ${end.status}, its leg has no end`);
  if (expected.attempts !== 1) return wrong('plan', `has ${expected.attempts} attempts`);
  const status = end.status === 'ended' ? 'answered' : end.status;
  return status === expected.status ? [] : wrong('answers', `is ${end.status}, the ledger says ${expected.status}`);
}
