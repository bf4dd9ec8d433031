import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ReceivedWebhook, until, webhookReceiver } from '../e2e/running-service.js';
import type { Carrier, Play } from './carrier.js';
import { type BatchRecord, connectLine, isCompleted, recordsOf, startBatch } from './customer.js';
import { type Exchange, startExchange } from './exchange.js';
import { canTalk, type Outdial, withRealAgents } from './service.js';

const minutes = 60_000;
/** Agents that stand ready: no more calls are made at once, so that no callee who answers waits for one. */
const agents = 3;
const talks: Play = { rings: 180, afterMs: 10_000, finally: 200, hangsUpAfterMs: 2_500 };
const busy: Play = { finally: 486, phrase: 'Busy Here' };

interface Fate {
  readonly people: number;
  readonly play: Play | readonly Play[];
  /** How their records must end. */
  readonly ends: Pick<BatchRecord, 'status' | 'attempts'>;
  /** INVITEs that are sent in all. */
  readonly invites: number;
}

const fates: readonly Fate[] = [
  { people: 8, play: talks, ends: { status: 'answered', attempts: 1 }, invites: 1 },
  { people: 5, play: busy, ends: { status: 'rejected', attempts: 2 }, invites: 2 },
  { people: 3, play: [busy, talks], ends: { status: 'answered', attempts: 2 }, invites: 2 },
  {
    people: 3,
    play: { rings: 180, afterMs: 6_000, finally: 603, phrase: 'Decline' },
    ends: { status: 'rejected', attempts: 2 },
    invites: 2,
  },
  { people: 2, play: { rings: 180 }, ends: { status: 'not-answered', attempts: 1 }, invites: 1 },
  { people: 2, play: { finally: 404, phrase: 'Not Found' }, ends: { status: 'failed', attempts: 1 }, invites: 1 },
  { people: 1, play: { finally: 484, phrase: 'Incomplete' }, ends: { status: 'failed', attempts: 1 }, invites: 1 },
  { people: 2, play: { finally: 480, phrase: 'Away' }, ends: { status: 'missed', attempts: 1 }, invites: 1 },
  {
    people: 1,
    play: { rings: 180, afterMs: 6_000, finally: 480, phrase: 'Away' },
    ends: { status: 'not-answered', attempts: 1 },
    invites: 1,
  },
  // What a carrier cannot do for the moment costs no attempt.
  {
    people: 3,
    play: [{ finally: 503, phrase: 'Later' }, talks],
    ends: { status: 'answered', attempts: 1 },
    invites: 2,
  },
];
const people = fates
  .flatMap((fate) => Array.from({ length: fate.people }, () => fate))
  .map((fate, index) => ({ ...fate, number: `+155503000${String(index).padStart(2, '0')}` }));

describe.skipIf(!canTalk)(withRealAgents('a batch of thirty numbers, by telephone'), () => {
  let exchange: Exchange;
  let outdial: Outdial;
  let carrier: Carrier;
  let hooks: { url: string; received: ReceivedWebhook[]; close: () => void };

  beforeAll(async () => {
    exchange = await startExchange(Object.fromEntries(people.map(({ number, play }) => [number, play])), agents);
    ({ outdial, carrier } = exchange);
    hooks = await webhookReceiver(outdial);
  }, 3 * minutes);
  afterAll(async () => {
    hooks.close();
    await exchange.close();
  }, minutes);
  beforeEach((context) => exchange.stack.tellLogsOnFailure(context));

  /** The carrier's last answer to each INVITE to a number; null if it was cancelled. */
  function answersTo(number: string): (number | null)[] {
    const messages = carrier.messages();
    return carrier.invites(number).map(({ callId, headers }) => {
      const own = messages.filter((each) => each.callId === callId && each.headers.cseq === headers.cseq);
      const last = own.findLast(({ direction, name }) => direction === 'out' && /^[2-6]\d\d$/.test(name));
      return last === undefined || last.name === '487' ? null : Number(last.name);
    });
  }

  test(
    'ends as the carrier’s log says, with as many INVITEs as it tells, and its webhooks come',
    { timeout: 6 * minutes },
    async () => {
      const line = await connectLine(
        outdial,
        carrier,
        { greeting: { text: 'Good day {{name}}.', interruptible: true } },
        { ringTimeoutSeconds: 15, maxConcurrentCalls: agents },
      );
      const numbers = people.map(({ number }) => number);
      const batchId = await startBatch(outdial, line, numbers, {
        retry: { retryOn: ['rejected'], retryDelays: [2] },
        webhook: { endpoint: hooks.url, events: ['batchcall-started', 'batchcall-completed'] },
      });
      await isCompleted(outdial, batchId);

      const records = await recordsOf(outdial, batchId);
      expect(records.map(({ phoneNumber }) => phoneNumber)).toEqual(numbers);
      const told = records.map(({ phoneNumber, status, attempts, sipStatusCode }) => ({
        ...{ phoneNumber, status, attempts, sipStatusCode: sipStatusCode ?? null },
        invites: carrier.invites(phoneNumber).length,
      }));
      expect(told).toEqual(
        people.map(({ number, ends, invites }) => ({
          ...{ phoneNumber: number, ...ends, invites },
          sipStatusCode: answersTo(number).at(-1),
        })),
      );
      // No one else was called, and every callee who answered was greeted.
      expect(carrier.invites()).toHaveLength(people.reduce((sum, { invites }) => sum + invites, 0));
      for (const { number } of people.filter(({ ends }) => ends.status === 'answered')) {
        const answered = carrier.invites(number).at(-1);
        expect(answered && carrier.hearing(answered).soundSeconds(), number).toBeGreaterThan(0.3);
      }

      const { body: stats } = await outdial.request('GET', `/v1/batch-calls/${batchId}/stats`);
      expect(stats).toMatchObject({
        ...{ total: 30, answered: 14, rejected: 8, 'not-answered': 3, missed: 2, failed: 3, abandoned: 0 },
        ...{ pending: 0, dialing: 0, 'in-progress': 0, retrying: 0, attempts: 41 },
      });
      await until(() => hooks.received.length >= 2);
      expect(hooks.received.map(({ body }) => body)).toMatchObject([
        { event: 'batchcall-started', batchId, status: 'running', recordsUploaded: 30 },
        { event: 'batchcall-completed', batchId, status: 'completed', recordsUploaded: 30 },
      ]);
    },
  );
});
