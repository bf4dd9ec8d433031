import { afterEach, describe, expect, test } from 'vitest';
import { endLease } from '../../../db/queries/dialer/lease.js';
import {
  gateTransfer,
  heldTransfers,
  noteHeld,
  paceTransfer,
  settleWarmTransfer,
} from '../../../db/queries/dialer/warm-transfers.js';
import { ProviderUnreachable, type CallProvider } from '../../../telephony/provider.js';
import { takes, talker, thirty, controlledCalls, type ControlledCalls } from './controlled-calls.js';
import { until, type DialerTestEnv } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

async function setUp(settings: Parameters<typeof controlledCalls>[0] = {}): Promise<void> {
  calls = await controlledCalls(settings);
  ({ testEnv } = calls);
}

const linesTaken = () => calls.rowsOf('select id from call_transfers where gateway_line is not null');
const becomes = (id: string, status: string) => until(async () => (await calls.transferOf(id))?.status === status);
const events = (id: string) =>
  testEnv
    .ledger()
    .filter((line) => line.callId === id && line.event.startsWith('target_'))
    .map(({ event }) => event);
const setSimulated = () => testEnv.database.pool.query('update calls set simulated = true');

async function talking(): Promise<string> {
  const id = await calls.aCall(talker, 'answered');
  await setSimulated();
  return id;
}

describe('a warm transfer', () => {
  // shows: calls.transfer.warm
  test('whose target takes the call joins both: the call goes on, and ends as transferred', async () => {
    await setUp();
    await testEnv.dialer();
    const id = await talking();
    expect(await calls.transfer(id, takes, 'warm')).toBeNull();
    await becomes(id, 'transferred');
    expect(await calls.phaseOf(id)).toBe('answered');
    expect(events(id)).toEqual(['target_invite', 'target_answered', 'target_joined']);
    expect(await linesTaken()).toHaveLength(1);
    expect(await calls.transfer(id, takes, 'warm')).toBe('handed_over');
    expect(await calls.transfer(id, takes)).toBe('handed_over');
    await calls.end(id);
    await until(() => events(id).includes('target_ended'));
    await until(async () => (await linesTaken()).length === 0);
    expect(calls.ledgerOf(id, 'refer')).toEqual([]);
  });

  test.each([
    ['+15550100151', 'is busy', 486, 'Busy Here', ['target_invite', 'target_ended']],
    ['+15550100162', 'declines', 603, 'Decline', ['target_invite', 'target_ended']],
    ['+15550100163', 'does not answer', 408, 'did not answer', ['target_invite', 'target_ended']],
    ['+15550100169', 'is a mailbox', null, 'mailbox', ['target_invite', 'target_answered', 'target_ended']],
    ['+15550100190', 'does not want it', null, 'declined', ['target_invite', 'target_answered', 'target_ended']],
    ['+15550100167', 'hangs up', null, 'hung up', ['target_invite', 'target_answered', 'target_ended']],
  ])('to %s, who %s, has failed for that reason, and the call goes on', async (to, _what, code, message, course) => {
    await setUp();
    await testEnv.dialer();
    const id = await talking();
    await calls.transfer(id, to, 'warm');
    await becomes(id, 'failed');
    expect(await calls.transferOf(id)).toEqual({
      status: 'failed',
      sip_status_code: code,
      message: expect.stringContaining(message),
    });
    expect(await calls.phaseOf(id)).toBe('answered');
    expect(events(id)).toEqual(course);
    await testEnv.database.pool.query(`update call_transfers set sent_at = sent_at - interval '2 minutes'`);
    await until(async () => (await linesTaken()).length === 0);
    expect(await calls.transfer(id, takes, 'warm')).toBeNull();
    await becomes(id, 'transferred');
  });

  test('of a call that ends while its target rings hangs the target up', async () => {
    await setUp();
    await testEnv.dialer();
    const id = await talking();
    await calls.transfer(id, '+15550100163', 'warm');
    await until(() => events(id).includes('target_invite'));
    await calls.end(id);
    await becomes(id, 'failed');
    expect(events(id)).toEqual(['target_invite', 'target_ended']);
    await until(async () => (await calls.callOf(id)).status === 'answered');
    expect((await calls.callOf(id)).reason).toBe('ended_by_api');
  });

  test('whose dialer dies after the INVITE and before its answer is followed up; the target is called once', async () => {
    await setUp();
    let sent = false;
    const inner = testEnv.provider();
    const dying = await testEnv.dialer({
      ...inner,
      callTarget: (order) => {
        void inner.callTarget(order).catch(() => undefined);
        sent = true;
        return new Promise(() => undefined);
      },
      dial: (order, on) => inner.dial(order, on).then(() => new Promise(() => undefined)),
    } satisfies CallProvider);
    const id = await talking();
    await calls.transfer(id, takes, 'warm');
    await until(() => sent);
    await dying.close();
    await testEnv.dialer();
    await until(() => events(id).includes('target_joined'));
    expect((await calls.transferOf(id))?.status).toBe('calling');
    await testEnv.database.pool.query(`update call_transfers set sent_at = sent_at - interval '10 minutes'`);
    await becomes(id, 'failed');
    // How it went is unknown: nobody stays on the line unseen.
    await until(() => events(id).includes('target_ended'));
    expect(events(id).filter((event) => event === 'target_invite')).toHaveLength(1);
  });

  test('that was committed as calling by a dialer that died before the INVITE is not called by another', async () => {
    await setUp();
    const first = await testEnv.dialer();
    const id = await talking();
    const processId = first.processId();
    await first.close();
    const { db, pool } = testEnv.database;
    await pool.query(
      `insert into dialer_processes (id, host, pid, lease_until) values ($1, 'test', 1, now() + interval '1 minute')
      on conflict (id) do update set lease_until = excluded.lease_until`,
      [processId],
    );
    await pool.query('update call_attempts set claimed_by = $1 where call_id = $2', [processId, id]);
    await calls.transfer(id, takes, 'warm');
    const [{ id: transferId } = { id: '' }] = await calls.rowsOf<{ id: string }>('select id from call_transfers');
    expect(await noteHeld(db, transferId)).toBe(true);
    const [held] = await heldTransfers(db, processId);
    expect(await paceTransfer(db, transferId, held!.gatewayId, 250)).toMatchObject({ dialInMs: expect.any(Number) });
    expect(await gateTransfer(db, processId, held!)).toBe(true);
    expect(await gateTransfer(db, processId, held!)).toBe(false);
    await endLease(db, processId);
    await testEnv.dialer();
    await pool.query(`update call_transfers set sent_at = sent_at - interval '10 minutes'`);
    await becomes(id, 'failed');
    expect(events(id)).toEqual([]);
    expect(await calls.phaseOf(id)).toBe('answered');
    await until(async () => (await linesTaken()).length === 0);
  });

  test.each([
    ['was taken by its target', true],
    ['has failed', false],
  ])('that %s stands if its end is stored once more, because the answer was lost', async (_how, wasTaken) => {
    await setUp();
    const first = await testEnv.dialer();
    const id = await talking();
    await first.close();
    await calls.transfer(id, takes, 'warm');
    const [{ id: transferId } = { id: '' }] = await calls.rowsOf<{ id: string }>('select id from call_transfers');
    const { db } = testEnv.database;
    const store = (transferred: boolean) => settleWarmTransfer(db, transferId, { transferred, message: 'told' });
    expect(await store(wasTaken)).toBe(true);
    expect(await store(true)).toBe(wasTaken);
    expect((await calls.transferOf(id))?.status).toBe(wasTaken ? 'transferred' : 'failed');
  });

  test('asked for while its dialer is dead is carried out by the one that takes the leg over', async () => {
    await setUp();
    const first = await testEnv.dialer();
    const id = await talking();
    await first.close();
    await calls.transfer(id, takes, 'warm');
    await testEnv.dialer();
    await becomes(id, 'transferred');
    expect(events(id).filter((event) => event === 'target_invite')).toHaveLength(1);
  });

  test('that certainly was not sent is sent again, once', async () => {
    await setUp();
    let failures = 1;
    const inner = testEnv.provider();
    await testEnv.dialer({
      ...inner,
      callTarget: (order) =>
        failures-- > 0 ? Promise.reject(new ProviderUnreachable('nothing was sent')) : inner.callTarget(order),
    });
    const id = await talking();
    await calls.transfer(id, takes, 'warm');
    await becomes(id, 'transferred');
    expect(events(id).filter((event) => event === 'target_invite')).toHaveLength(1);
  });

  test.each([
    ['all dialing is stopped', `update accounts set dialing_stopped_at = now()`, 'stopped'],
    [
      'its target comes onto the do-not-call list',
      `insert into do_not_call (account_id, e164) select id, '${takes}' from accounts`,
      'do-not-call',
    ],
    ['its gateway may not call it', `update gateways set allowed_numbers = '{+4930*}'`, 'does not call'],
    [
      'its gateway is suspended',
      `update gateway_admission set suspended_since = now(), probe_at = 'infinity'`,
      'suspended',
    ],
  ])('calls nobody if %s after it was asked for', async (_what, statement, message) => {
    await setUp();
    const first = await testEnv.dialer();
    const id = await talking();
    await first.close();
    await calls.transfer(id, takes, 'warm');
    await testEnv.database.pool.query(statement);
    await testEnv.dialer();
    await becomes(id, 'failed');
    expect((await calls.transferOf(id))?.message).toContain(message);
    await until(async () => (await linesTaken()).length === 0);
    expect(events(id)).toEqual([]);
  });

  test('takes a line of the gateway: none is over its limit, and none fails a call of the queue', async () => {
    await setUp({ maxConcurrentCalls: 2 });
    await fetch(`${testEnv.carrier.url}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ channels: 2 }),
    });
    await testEnv.dialer();
    const id = await talking();
    await calls.transfer(id, takes, 'warm');
    await becomes(id, 'transferred');
    const [waits] = await testEnv.calls(calls.gateway, null, [thirty[0]!]);
    expect(await calls.transferOf(id)).toMatchObject({ status: 'transferred' });
    expect(await calls.phaseOf(waits!)).toBe('queued');
    await calls.end(id);
    await until(async () => (await calls.phaseOf(waits!)) === 'answered');
    await setSimulated();
    const [second] = await testEnv.calls(calls.gateway, null, [thirty[1]!]);
    await until(async () => (await calls.phaseOf(second!)) === 'answered');
    await setSimulated();
    await calls.transfer(second!, takes, 'warm');
    await becomes(second!, 'failed');
    expect((await calls.transferOf(second!))?.message).toContain('line');
    expect(testEnv.ledger().filter(({ event }) => event === 'violation')).toEqual([]);
  });

  test('waits for its slot among the calls of a busy gateway, so that its calls per second hold', async () => {
    await setUp({ callsPerSecond: 4 });
    await testEnv.dialer();
    const id = await talking();
    const waiting = await testEnv.calls(calls.gateway, null, thirty.slice(0, 12));
    await calls.transfer(id, takes, 'warm');
    // A busy machine puts an INVITE back that is late: the last of the twelve need not be the last to go out.
    await until(async () =>
      (await Promise.all(waiting.map((call) => calls.phaseOf(call)))).every((phase) => phase === 'answered'),
    );
    await becomes(id, 'transferred');
    const sent = testEnv
      .ledger()
      .filter(({ event }) => event === 'invite' || event === 'target_invite')
      .map(({ at }) => Date.parse(at))
      .toSorted((a, b) => a - b);
    expect(sent).toHaveLength(14);
    // Never more than four in a second: of any five, the last leaves a second after the first.
    const spans = sent.slice(4).map((at, index) => at - sent[index]!);
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(990);
  });
});
