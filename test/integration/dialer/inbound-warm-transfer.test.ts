import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertAccount } from '../../../bench/live-agent.js';
import { lockCall } from '../../../db/queries/calls/control.js';
import { orderTransfer } from '../../../db/queries/calls/order-transfer.js';
import { formatId } from '../../../domain/ids.js';
import { aCalledNumber, type CalledNumber } from './callers.js';
import { controlledCalls, takes, talker, thirty, type ControlledCalls } from './controlled-calls.js';
import { until, type DialerTestEnv } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
let line: CalledNumber;
afterEach(() => testEnv.close());

async function setUp(...settings: Parameters<typeof controlledCalls>): Promise<void> {
  calls = await controlledCalls(...settings);
  ({ testEnv } = calls);
  line = await aCalledNumber(testEnv, calls.gateway);
}

const unanswered = '+15550100163';
const declines = '+15550100190';
const db = () => testEnv.database.db;
const linesTaken = () => calls.rowsOf('select id from call_transfers where gateway_line is not null');
const becomes = (id: string, status: string) => until(async () => (await calls.transferOf(id))?.status === status);
const linesOf = (id: string) =>
  testEnv.ledger().filter(({ callId, event }) => callId === id && event.startsWith('target_'));
const events = (id: string) => linesOf(id).map(({ event }) => event);
/** An INVITE is on its way no more, so that a line is freed as soon as its target is hung up. */
const later = () => calls.rowsOf(`update call_transfers set sent_at = sent_at - interval '2 minutes'`);
const faults = (body: object) =>
  fetch(`${testEnv.carrier.url}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a warm transfer of a call that came in', () => {
  beforeEach(() => setUp());

  // shows: calls.transfer.inbound
  test('calls the target from the number that was called, by its outbound gateway, and the call ends as transferred', async () => {
    await testEnv.dialer();
    const id = await line.comesIn();
    expect(await calls.transfer(id, takes, 'warm')).toBeNull();
    await becomes(id, 'transferred');
    expect(await calls.phaseOf(id)).toBe('answered');
    expect(events(id)).toEqual(['target_invite', 'target_answered', 'target_joined']);
    expect(linesOf(id)[0]).toMatchObject({ gatewayId: calls.gateway.id, to: takes });
    expect(await linesTaken()).toHaveLength(1);
    expect(await calls.transfer(id, takes, 'warm')).toBe('handed_over');
    await line.hangsUp(id);
    await until(() => events(id).includes('target_ended'));
    await until(async () => (await linesTaken()).length === 0);
    expect(await calls.callOf(id)).toEqual({ status: 'answered', reason: 'transferred' });
  });

  test.each([
    ['+15550100151', 'is busy', 486, 'Busy Here'],
    [unanswered, 'does not answer', 408, 'did not answer'],
    ['+15550100169', 'is a mailbox', null, 'mailbox'],
    [declines, 'does not want it', null, 'declined'],
  ])(
    'to %s, who %s, has failed for that reason, and the call goes on and can be transferred again',
    async (to, _what, code, message) => {
      await testEnv.dialer();
      const id = await line.comesIn();
      await calls.transfer(id, to, 'warm');
      await becomes(id, 'failed');
      expect(await calls.transferOf(id)).toMatchObject({
        sip_status_code: code,
        message: expect.stringContaining(message),
      });
      expect(await calls.phaseOf(id)).toBe('answered');
      await later();
      await until(async () => (await linesTaken()).length === 0);
      await calls.transfer(id, takes, 'warm');
      await becomes(id, 'transferred');
    },
  );

  test('calls nobody if the caller has hung up before the target is called', async () => {
    const id = await line.comesIn();
    await calls.transfer(id, takes, 'warm');
    await line.hangsUp(id);
    await testEnv.dialer();
    await becomes(id, 'failed');
    expect((await calls.transferOf(id))?.message).toContain('the call ended before');
    expect(events(id)).toEqual([]);
    expect(await linesTaken()).toEqual([]);
  });

  test('hangs the target up if the caller hangs up while its telephone rings, and frees its line', async () => {
    await testEnv.dialer();
    const id = await line.comesIn();
    await calls.transfer(id, unanswered, 'warm');
    await until(() => events(id).includes('target_invite'));
    await line.hangsUp(id);
    await becomes(id, 'failed');
    expect(events(id)).toEqual(['target_invite', 'target_ended']);
    await later();
    await until(async () => (await linesTaken()).length === 0);
    expect(await calls.callOf(id)).toEqual({ status: 'answered', reason: 'caller_hung_up' });
  });

  test.each([
    ['all dialing is stopped', `update accounts set dialing_stopped_at = now()`, 'stopped'],
    [
      'its target comes onto the do-not-call list',
      `insert into do_not_call (account_id, e164) select id, '${takes}' from accounts`,
      'do-not-call',
    ],
    ['the outbound gateway may not call it', `update gateways set allowed_numbers = '{+4930*}'`, 'does not call'],
    [
      'the outbound gateway is suspended',
      `update gateway_admission set suspended_since = now(), probe_at = 'infinity'`,
      'suspended',
    ],
  ])('calls nobody if %s after it was asked for', async (_what, statement, message) => {
    const id = await line.comesIn();
    await calls.transfer(id, takes, 'warm');
    await testEnv.database.pool.query(statement);
    await testEnv.dialer();
    await becomes(id, 'failed');
    expect((await calls.transferOf(id))?.message).toContain(message);
    await until(async () => (await linesTaken()).length === 0);
    expect(events(id)).toEqual([]);
  });

  test('is refused if the number has no outbound gateway, in words that say how to mend it', async () => {
    await calls.rowsOf(`delete from number_gateways where direction = 'outbound'`);
    const id = await line.comesIn();
    const wish = { accountId: testEnv.accountId, callId: id, to: takes };
    const order = (mode: 'warm' | 'cold') =>
      db()
        .transaction()
        .execute(async (tx) => {
          await lockCall(tx, wish.accountId, id);
          await orderTransfer(tx, { ...wish, mode });
        });
    await expect(order('warm')).rejects.toThrow(
      `No outbound gateway is attached to ${line.number}, by which the target could be called: attach it to one`,
    );
    await order('cold');
  });

  test('is refused for a call of another account', async () => {
    const other = formatId('account', '00000000-0000-7000-8000-000000000001');
    await insertAccount(db(), other, 'Other');
    const id = await line.comesIn();
    const theirs = await db()
      .transaction()
      .execute(async (tx) => lockCall(tx, other, id));
    expect(theirs).toBeNull();
    await expect(
      db()
        .transaction()
        .execute((tx) => orderTransfer(tx, { accountId: other, callId: id, to: takes, mode: 'warm' })),
    ).rejects.toThrow();
    expect(await calls.rowsOf('select 1 from call_transfers')).toEqual([]);
  });
});

describe('the limits of the outbound gateway', () => {
  // shows: calls.transfer.inbound
  test('its lines: with one left of two, of two transfers at once one target is called', async () => {
    await setUp({ maxConcurrentCalls: 2 });
    await faults({ channels: 2 });
    await Promise.all([testEnv.dialer(), testEnv.dialer()]);
    await calls.aCall(talker, 'answered');
    const ids = [await line.comesIn(), await line.comesIn()];
    await Promise.all(ids.map((id) => calls.transfer(id, takes, 'warm')));
    const endOf = async (id: string) => (await calls.transferOf(id))?.status ?? '';
    await until(async () =>
      (await Promise.all(ids.map(endOf))).every((end) => ['transferred', 'failed'].includes(end)),
    );
    expect((await Promise.all(ids.map(endOf))).toSorted()).toEqual(['failed', 'transferred']);
    const refused = (await endOf(ids[0]!)) === 'failed' ? ids[0]! : ids[1]!;
    expect((await calls.transferOf(refused))?.message).toContain('line');
    // And no call of the queue goes out until the target is gone.
    const [waits] = await testEnv.calls(calls.gateway, null, [thirty[0]!]);
    const taken = ids.find((id) => id !== refused)!;
    expect(await calls.phaseOf(waits!)).toBe('queued');
    await line.hangsUp(taken);
    await until(() => events(taken).includes('target_ended'));
    await later();
    await until(async () => (await calls.phaseOf(waits!)) === 'answered');
    expect(testEnv.ledger().filter(({ event }) => event === 'violation')).toEqual([]);
  });

  // shows: calls.transfer.inbound
  test('its calls per second: targets of callers wait for their slots among its calls, each for one', async () => {
    await setUp({ callsPerSecond: 4 });
    await Promise.all([testEnv.dialer(), testEnv.dialer()]);
    const ids = [await line.comesIn(), await line.comesIn(), await line.comesIn()];
    const waiting = await testEnv.calls(calls.gateway, null, thirty.slice(0, 10));
    for (const id of ids) await calls.transfer(id, takes, 'warm');
    for (const id of waiting) await until(async () => (await calls.phaseOf(id)) === 'answered');
    for (const id of ids) await becomes(id, 'transferred');
    const sent = testEnv
      .ledger()
      .filter(({ event }) => event === 'invite' || event === 'target_invite')
      .map(({ at }) => Date.parse(at))
      .toSorted((a, b) => a - b);
    expect(sent).toHaveLength(13);
    // Never more than four in a second: of any five, the last leaves a second after the first.
    const spans = sent.slice(4).map((at, index) => at - sent[index]!);
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(990);
    // Slots that nobody used would hold up the next call.
    const [ahead] = await calls.rowsOf<{ ms: number }>(
      `select extract(epoch from next_dial_at - clock_timestamp())::float8 * 1000 as ms from gateway_admission`,
    );
    expect(ahead!.ms).toBeLessThan(600);
  });

  test('what the operator allows an account at once counts the target', async () => {
    await setUp({}, { maxConcurrentCallsPerAccount: 1 });
    await testEnv.dialer();
    await calls.aCall(talker, 'answered');
    const id = await line.comesIn();
    await calls.transfer(id, takes, 'warm');
    await becomes(id, 'failed');
    expect((await calls.transferOf(id))?.message).toContain('line');
    expect(events(id)).toEqual([]);
  });
});
