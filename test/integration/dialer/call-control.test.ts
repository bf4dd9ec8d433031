import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { orderHangUp, requestTransfer } from '../../../db/queries/calls/control.js';
import { endLease } from '../../../db/queries/dialer/lease.js';
import { takeTransfers } from '../../../db/queries/dialer/transfers.js';
import { ProviderUnreachable, type CallProvider } from '../../../telephony/provider.js';
import { busy, ringer, takes, talker, thirty, controlledCalls, type ControlledCalls } from './controlled-calls.js';
import { until, type DialerTestEnv, type Gateway } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
let gateway: Gateway;
beforeEach(async () => {
  calls = await controlledCalls();
  ({ testEnv, gateway } = calls);
});
afterEach(() => testEnv.close());

describe('ending a call', () => {
  test('that is answered hangs it up: answered, ended by API', async () => {
    await testEnv.dialer();
    const id = await calls.aCall(talker, 'answered');
    expect(await calls.end(id)).toBe('hung up');
    await until(async () => (await calls.callOf(id)).status === 'answered');
    expect(await calls.callOf(id)).toEqual({ status: 'answered', reason: 'ended_by_api' });
  });

  test('that rings cancels it: abandoned, and it is not tried again though the batch retries abandoned calls', async () => {
    await testEnv.dialer();
    const batch = await testEnv.batch(gateway, { retryOn: ['abandoned'], retryDelaysSeconds: [1] });
    const id = await calls.aCall(ringer, 'ringing', batch);
    expect(await calls.end(id)).toBe('hung up');
    await until(async () => (await calls.callOf(id)).status === 'abandoned');
    expect((await calls.callOf(id)).reason).toBe('ended_by_api');
    await until(async () => testEnv.told.some(([callId, , next]) => callId === id && next === null));
  });

  test('that waits in the queue abandons it at once; it is never dialed, and its workflow hears of it', async () => {
    const [id] = await testEnv.calls(gateway, null, [talker]);
    expect(await calls.end(id!)).toBe('abandoned');
    expect(await calls.callOf(id!)).toEqual({ status: 'abandoned', reason: 'ended_by_api' });
    await testEnv.dialer();
    await until(async () => testEnv.told.some(([callId]) => callId === id));
    expect(testEnv.told).toContainEqual([id, 1, null]);
    expect(calls.ledgerOf(id!, 'invite')).toEqual([]);
    expect(await calls.end(id!)).toBe('over');
  });

  test('that waits for a retry abandons it as the attempt to come', async () => {
    const batch = await testEnv.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [3600] });
    await testEnv.dialer();
    const [id] = await testEnv.calls(gateway, batch, [busy]);
    await until(async () => (await calls.callOf(id!)).status === 'retrying');
    expect(await calls.end(id!)).toBe('abandoned');
    expect(await calls.callOf(id!)).toEqual({ status: 'abandoned', reason: 'ended_by_api' });
    await until(async () =>
      testEnv.told.some(([callId, attempt, next]) => callId === id && attempt === 2 && next === null),
    );
    const counters = await calls.rowsOf('select retrying, abandoned from batch_counters where batch_id = $1', [batch]);
    expect(counters).toEqual([{ retrying: 0, abandoned: 1 }]);
  });

  test('twice at once, and while it is being dialed, leaves each call dialed at most once and over', async () => {
    const ids = await testEnv.calls(gateway, null, thirty);
    await testEnv.dialer();
    const answers = await Promise.all([...ids, ...ids].map((id) => calls.end(id)));
    expect(answers.filter((answer) => answer === 'abandoned').length).toBeLessThanOrEqual(30);
    await until(async () => (await calls.rowsOf('select 1 from calls where not settled')).length === 0);
    for (const id of ids) {
      const { status, reason } = await calls.callOf(id);
      expect(['abandoned', 'answered']).toContain(status);
      expect(reason).toBe('ended_by_api');
      expect(calls.ledgerOf(id, 'invite').length).toBeLessThanOrEqual(1);
    }
  });
});

describe('transferring a call', () => {
  test('to a target that takes it: transferred, and the call has ended for that reason', async () => {
    await testEnv.dialer();
    const id = await calls.aCall(talker, 'answered');
    expect(await calls.transfer(id, takes)).toBeNull();
    await until(async () => (await calls.transferOf(id))?.status === 'transferred');
    await until(async () => (await calls.callOf(id)).status === 'answered');
    expect((await calls.callOf(id)).reason).toBe('transferred');
    expect(calls.ledgerOf(id, 'refer')).toHaveLength(1);
  });

  test('to a target that is busy: failed with the SIP code, the call goes on and can be transferred again', async () => {
    await testEnv.dialer();
    const id = await calls.aCall(talker, 'answered');
    expect(await calls.transferTwice(id, busy, takes)).toEqual([null, 'being_transferred']);
    await until(async () => (await calls.transferOf(id))?.status === 'failed');
    expect(await calls.transferOf(id)).toMatchObject({ status: 'failed', sip_status_code: 486 });
    expect(await calls.phaseOf(id)).toBe('answered');
    expect(await calls.transfer(id, `sip:${takes}@pbx.example.com`)).toBeNull();
    await until(async () => (await calls.transferOf(id))?.status === 'transferred');
  });

  test('is refused before the answer and while it is being hung up', async () => {
    await testEnv.dialer();
    const id = await calls.aCall(ringer, 'ringing');
    expect(await calls.transfer(id, takes)).toBe('not_answered');
    const talking = await calls.aCall(talker, 'answered');
    await testEnv.database.db.transaction().execute(async (tx) => {
      await orderHangUp(tx, talking, 'ended_by_api');
      expect(await requestTransfer(tx, testEnv.accountId, talking, takes)).toBe('being_hung_up');
    });
  });

  test('asked for while its dialer is dead is sent by the one that takes the leg over', async () => {
    const first = await testEnv.dialer();
    const id = await calls.aCall(talker, 'answered');
    await first.close();
    await calls.transfer(id, takes);
    await testEnv.dialer();
    await until(async () => (await calls.transferOf(id))?.status === 'transferred');
    expect(calls.ledgerOf(id, 'refer')).toHaveLength(1);
  });

  test('whose dialer dies after the REFER and before its answer is followed up, without a second REFER', async () => {
    // The worst place: the carrier has it, and its answer is lost.
    let sent = false;
    const inner = testEnv.provider();
    const deaf: CallProvider = {
      ...inner,
      transfer: (ref, to) => {
        void inner.transfer(ref, to).catch(() => undefined);
        sent = true;
        return new Promise(() => undefined);
      },
      // Dead: it tells nothing of the leg's end either.
      dial: (order, on) => inner.dial(order, on).then(() => new Promise(() => undefined)),
    };
    const dying = await testEnv.dialer(deaf);
    const id = await calls.aCall(talker, 'answered');
    await calls.transfer(id, takes);
    await until(() => sent);
    await dying.close();
    await testEnv.dialer();
    await until(async () => (await calls.transferOf(id))?.status === 'transferred');
    await until(async () => (await calls.callOf(id)).status === 'answered');
    expect((await calls.callOf(id)).reason).toBe('transferred');
    expect(calls.ledgerOf(id, 'refer')).toHaveLength(1);
  });

  test('that was committed as sent by a dialer that died before the REFER is not sent by another', async () => {
    const first = await testEnv.dialer();
    const id = await calls.aCall(talker, 'answered');
    const processId = first.processId();
    // In the dialer's place, then dead: between its commit and its REFER.
    await first.close();
    await testEnv.database.pool.query('update call_attempts set claimed_by = $1 where call_id = $2', [processId, id]);
    await calls.transfer(id, takes);
    expect(await takeTransfers(testEnv.database.db, processId)).toHaveLength(1);
    await endLease(testEnv.database.db, processId);
    await testEnv.dialer();
    await until(
      async () =>
        (await calls.rowsOf('select 1 from call_attempts where call_id = $1 and claimed_by <> $2', [id, processId]))
          .length === 1,
    );
    await testEnv.database.pool.query(
      `update call_transfers set sent_at = sent_at - interval '10 minutes' where call_id = $1`,
      [id],
    );
    await until(async () => (await calls.transferOf(id))?.status === 'failed');
    expect(calls.ledgerOf(id, 'refer')).toEqual([]);
    expect(await calls.phaseOf(id)).toBe('answered');
  });

  test('that the carrier could not be asked for is asked for again', async () => {
    let failures = 1;
    const inner = testEnv.provider();
    const shaky: CallProvider = {
      ...inner,
      transfer: (ref, to) =>
        failures-- > 0 ? Promise.reject(new ProviderUnreachable('nothing was sent')) : inner.transfer(ref, to),
    };
    await testEnv.dialer(shaky);
    const id = await calls.aCall(talker, 'answered');
    await calls.transfer(id, takes);
    await until(async () => (await calls.transferOf(id))?.status === 'transferred');
    expect(failures).toBe(-1);
  });

  test('of a call that ends meanwhile has failed', async () => {
    await testEnv.dialer();
    const id = await calls.aCall(talker, 'answered');
    await calls.transfer(id, '+15550100163');
    await until(async () => calls.ledgerOf(id, 'refer').length === 1);
    await calls.end(id);
    await until(async () => (await calls.transferOf(id))?.status === 'failed');
    await until(async () => (await calls.callOf(id)).status === 'answered');
    expect((await calls.callOf(id)).reason).toBe('ended_by_api');
  });
});
