import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { v7 as uuid } from 'uuid';
import { callEvent } from '../../../api/plugins/openapi-webhook-bodies.js';
import { abandonCall, lockCall, orderHangUp, requestTransfer } from '../../../db/queries/calls/control.js';
import { endLease } from '../../../db/queries/dialer/lease.js';
import { takeTransfers } from '../../../db/queries/dialer/transfers.js';
import { sipWebhookEvents } from '../../../domain/webhooks/sip-webhook.js';
import { ProviderUnreachable, type CallProvider } from '../../../telephony/provider.js';
import { aWorld, until, type Gateway, type World } from './world.js';

const forLong = { kind: 'answer', answerAfterSeconds: 0, talkSeconds: 100_000 } as const;
const rings = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 100_000 } as const;
const talker = '+15550100120';
const ringer = '+15550100130';
const takes = '+15550100140';
const busy = '+15550100151';
const thirty = Array.from({ length: 30 }, (_, index) => `+15550101${String(index).padStart(3, '0')}0`);

let world: World;
let gateway: Gateway;
beforeEach(async () => {
  const talking = Object.fromEntries([talker, ...thirty].map((number) => [number, [forLong]]));
  world = await aWorld({ scenario: { numbers: { ...talking, [ringer]: [rings], [takes]: [{ kind: 'answer' }] } } });
  gateway = await world.gateway();
});
afterEach(() => world.close());

const rowsOf = async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> =>
  (await world.database.pool.query<Row>(statement, values)).rows;
const callOf = async (id: string) =>
  (await rowsOf<{ status: string; reason: string | null }>('select status, reason from calls where id = $1', [id]))[0]!;
const phaseOf = async (id: string): Promise<string | undefined> =>
  (await rowsOf<{ phase: string }>('select phase from call_attempts where call_id = $1 order by number desc', [id]))[0]
    ?.phase;
const ledgerOf = (id: string, event: string) =>
  world.ledger().filter((line) => line.callId === id && line.event === event);

/** As POST /end does it. */
const end = (id: string) =>
  world.database.db.transaction().execute(async (tx) => {
    const call = await lockCall(tx, world.accountId, id);
    if (call === null || call.settled) return 'over';
    if (await orderHangUp(tx, id, 'ended_by_api')) return 'hung up';
    await abandonCall(tx, call, 'ended_by_api');
    return 'abandoned';
  });
const transfer = (id: string, to: string) =>
  world.database.db.transaction().execute(async (tx) => {
    await lockCall(tx, world.accountId, id);
    return requestTransfer(tx, world.accountId, id, to);
  });
/** Two requests of which the dialer sees nothing before both are answered. */
const transferTwice = (id: string, first: string, second: string) =>
  world.database.db.transaction().execute(async (tx) => {
    await lockCall(tx, world.accountId, id);
    const answers = [await requestTransfer(tx, world.accountId, id, first)];
    return [...answers, await requestTransfer(tx, world.accountId, id, second)];
  });
const transferOf = async (id: string) =>
  (
    await rowsOf<{ status: string; sip_status_code: number | null }>(
      'select status, sip_status_code from call_transfers where call_id = $1 order by id desc',
      [id],
    )
  )[0];

async function aCall(to: string, phase: string, batchId: string | null = null): Promise<string> {
  const [id] = await world.calls(gateway, batchId, [to]);
  await until(async () => (await phaseOf(id!)) === phase);
  return id!;
}

describe('ending a call', () => {
  test('that is answered hangs it up: answered, ended by API', async () => {
    await world.dialer();
    const id = await aCall(talker, 'answered');
    expect(await end(id)).toBe('hung up');
    await until(async () => (await callOf(id)).status === 'answered');
    expect(await callOf(id)).toEqual({ status: 'answered', reason: 'ended_by_api' });
  });

  test('that rings cancels it: abandoned, and it is not tried again though the batch retries abandoned calls', async () => {
    await world.dialer();
    const batch = await world.batch(gateway, { retryOn: ['abandoned'], retryDelaysSeconds: [1] });
    const id = await aCall(ringer, 'ringing', batch);
    expect(await end(id)).toBe('hung up');
    await until(async () => (await callOf(id)).status === 'abandoned');
    expect((await callOf(id)).reason).toBe('ended_by_api');
    await until(async () => world.told.some(([callId, , next]) => callId === id && next === null));
  });

  test('that waits in the queue abandons it at once; it is never dialed, and its workflow hears of it', async () => {
    const [id] = await world.calls(gateway, null, [talker]);
    expect(await end(id!)).toBe('abandoned');
    expect(await callOf(id!)).toEqual({ status: 'abandoned', reason: 'ended_by_api' });
    await world.dialer();
    await until(async () => world.told.some(([callId]) => callId === id));
    expect(world.told).toContainEqual([id, 1, null]);
    expect(ledgerOf(id!, 'invite')).toEqual([]);
    expect(await end(id!)).toBe('over');
  });

  test('that waits for a retry abandons it as the attempt to come', async () => {
    const batch = await world.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [3600] });
    await world.dialer();
    const [id] = await world.calls(gateway, batch, [busy]);
    await until(async () => (await callOf(id!)).status === 'retrying');
    expect(await end(id!)).toBe('abandoned');
    expect(await callOf(id!)).toEqual({ status: 'abandoned', reason: 'ended_by_api' });
    await until(async () =>
      world.told.some(([callId, attempt, next]) => callId === id && attempt === 2 && next === null),
    );
    const counters = await rowsOf('select retrying, abandoned from batch_counters where batch_id = $1', [batch]);
    expect(counters).toEqual([{ retrying: 0, abandoned: 1 }]);
  });

  test('twice at once, and while it is being dialed, leaves each call dialed at most once and over', async () => {
    const ids = await world.calls(gateway, null, thirty);
    await world.dialer();
    const answers = await Promise.all([...ids, ...ids].map((id) => end(id)));
    expect(answers.filter((answer) => answer === 'abandoned').length).toBeLessThanOrEqual(30);
    await until(async () => (await rowsOf('select 1 from calls where not settled')).length === 0);
    for (const id of ids) {
      const { status, reason } = await callOf(id);
      expect(['abandoned', 'answered']).toContain(status);
      expect(reason).toBe('ended_by_api');
      expect(ledgerOf(id, 'invite').length).toBeLessThanOrEqual(1);
    }
  });
});

describe('transferring a call', () => {
  test('to somebody who takes it: transferred, and the call has ended for that reason', async () => {
    await world.dialer();
    const id = await aCall(talker, 'answered');
    expect(await transfer(id, takes)).toBeNull();
    await until(async () => (await transferOf(id))?.status === 'transferred');
    await until(async () => (await callOf(id)).status === 'answered');
    expect((await callOf(id)).reason).toBe('transferred');
    expect(ledgerOf(id, 'refer')).toHaveLength(1);
  });

  test('to somebody who is busy: failed with the SIP code, the call goes on and can be transferred again', async () => {
    await world.dialer();
    const id = await aCall(talker, 'answered');
    expect(await transferTwice(id, busy, takes)).toEqual([null, 'being_transferred']);
    await until(async () => (await transferOf(id))?.status === 'failed');
    expect(await transferOf(id)).toEqual({ status: 'failed', sip_status_code: 486 });
    expect(await phaseOf(id)).toBe('answered');
    expect(await transfer(id, `sip:${takes}@pbx.example.com`)).toBeNull();
    await until(async () => (await transferOf(id))?.status === 'transferred');
  });

  test('is refused before the answer and while it is being hung up', async () => {
    await world.dialer();
    const id = await aCall(ringer, 'ringing');
    expect(await transfer(id, takes)).toBe('not_answered');
    const talking = await aCall(talker, 'answered');
    await world.database.db.transaction().execute(async (tx) => {
      await orderHangUp(tx, talking, 'ended_by_api');
      expect(await requestTransfer(tx, world.accountId, talking, takes)).toBe('being_hung_up');
    });
  });

  test('asked for while its dialer is dead is sent by the one that takes the leg over', async () => {
    const first = await world.dialer();
    const id = await aCall(talker, 'answered');
    await first.close();
    await transfer(id, takes);
    await world.dialer();
    await until(async () => (await transferOf(id))?.status === 'transferred');
    expect(ledgerOf(id, 'refer')).toHaveLength(1);
  });

  test('whose dialer dies after the REFER and before its answer is followed up, without a second REFER', async () => {
    // The worst place: the carrier has it, nobody hears of it.
    let sent = false;
    const inner = world.provider();
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
    const dying = await world.dialer(deaf);
    const id = await aCall(talker, 'answered');
    await transfer(id, takes);
    await until(() => sent);
    await dying.close();
    await world.dialer();
    await until(async () => (await transferOf(id))?.status === 'transferred');
    await until(async () => (await callOf(id)).status === 'answered');
    expect((await callOf(id)).reason).toBe('transferred');
    expect(ledgerOf(id, 'refer')).toHaveLength(1);
  });

  test('that was committed as sent by a dialer that died before the REFER is not sent by anybody else', async () => {
    const first = await world.dialer();
    const id = await aCall(talker, 'answered');
    const processId = first.processId();
    // In the dialer's place, then dead: between its commit and its REFER.
    await first.close();
    await world.database.pool.query('update call_attempts set claimed_by = $1 where call_id = $2', [processId, id]);
    await transfer(id, takes);
    expect(await takeTransfers(world.database.db, processId)).toHaveLength(1);
    await endLease(world.database.db, processId);
    await world.dialer();
    await until(
      async () =>
        (await rowsOf('select 1 from call_attempts where call_id = $1 and claimed_by <> $2', [id, processId]))
          .length === 1,
    );
    await world.database.pool.query(
      `update call_transfers set sent_at = sent_at - interval '10 minutes' where call_id = $1`,
      [id],
    );
    await until(async () => (await transferOf(id))?.status === 'failed');
    expect(ledgerOf(id, 'refer')).toEqual([]);
    expect(await phaseOf(id)).toBe('answered');
  });

  test('that the carrier could not be asked for is asked for again', async () => {
    let failures = 1;
    const inner = world.provider();
    const shaky: CallProvider = {
      ...inner,
      transfer: (ref, to) =>
        failures-- > 0 ? Promise.reject(new ProviderUnreachable('nothing was sent')) : inner.transfer(ref, to),
    };
    await world.dialer(shaky);
    const id = await aCall(talker, 'answered');
    await transfer(id, takes);
    await until(async () => (await transferOf(id))?.status === 'transferred');
    expect(failures).toBe(-1);
  });

  test('of a call that ends meanwhile has failed', async () => {
    await world.dialer();
    const id = await aCall(talker, 'answered');
    await transfer(id, '+15550100163');
    await until(async () => ledgerOf(id, 'refer').length === 1);
    await end(id);
    await until(async () => (await transferOf(id))?.status === 'failed');
    await until(async () => (await callOf(id)).status === 'answered');
    expect((await callOf(id)).reason).toBe('ended_by_api');
  });
});

describe('webhooks of calls', () => {
  const hook = async (events: string[]): Promise<string> => {
    const id = `swh_${uuid()}`;
    await world.database.db
      .insertInto('sip_webhooks')
      .values({ id, account_id: world.accountId, url: 'https://hooks.example.com/x', events })
      .execute();
    return id;
  };
  interface Delivery {
    readonly event: string;
    readonly attempt: number;
    readonly payload: string;
    readonly outbox: boolean;
  }
  const deliveriesOf = (id: string) =>
    rowsOf<Delivery>(
      `select d.event, d.attempt, d.payload,
         exists (select 1 from outbox o where o.workflow_id = d.id and o.name = 'deliverWebhook') as outbox
       from webhook_deliveries d where d.call_id = $1 order by d.id`,
      [id],
    );
  interface Told {
    readonly webhookType: string;
    readonly data: { readonly status: string; readonly timelog: { readonly status: string }[] } & Record<
      string,
      unknown
    >;
  }
  const all = ['call-started', 'call-ringing', 'call-answered', 'call-hangup', 'call-missed'];

  test('hear each event of each attempt once, in order, as the call was then', async () => {
    const batch = await world.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [1] });
    await hook(all);
    await world.dialer();
    // Busy the first time, answers the second.
    const [id] = await world.calls(gateway, batch, ['+15550100111']);
    await until(async () => (await callOf(id!)).status === 'retrying');
    await world.queue(id!, 2);
    await until(async () => (await callOf(id!)).status === 'answered');

    const deliveries = await deliveriesOf(id!);
    expect(deliveries.map(({ attempt, event }) => `${attempt} ${event}`)).toEqual([
      ...['1 call-started', '1 call-ringing', '1 call-missed'],
      ...['2 call-started', '2 call-ringing', '2 call-answered', '2 call-hangup'],
    ]);
    expect(deliveries.every(({ outbox }) => outbox)).toBe(true);
    const told = deliveries.map(({ payload }) => JSON.parse(payload) as Told);
    expect(told.map(({ data }) => data.status)).toEqual([
      ...['initiated', 'ringing', 'rejected', 'initiated', 'ringing', 'answered', 'ended'],
    ]);
    expect(told.map(({ data }) => data.timelog.map(({ status }) => status).join(' '))).toEqual([
      'initiated',
      'initiated ringing',
      'initiated ringing rejected',
      'initiated ringing rejected initiated',
      'initiated ringing rejected initiated ringing',
      'initiated ringing rejected initiated ringing answered',
      'initiated ringing rejected initiated ringing answered ended',
    ]);
    expect(told[2]).toMatchObject({
      webhookType: 'call-missed',
      data: {
        ...{ id: `call_${id!}`, type: 'outbound', to: '+15550100111', from: gateway.e164, batchId: batch, attempt: 1 },
        ...{ roomId: `call_${id!}_1_1`, sipStatusCode: 486, reason: 'busy', metadata: {} },
      },
    });
    expect(told[6]?.data).toMatchObject({ attempt: 2, answeredBy: 'human', duration: expect.any(Number) });
    expect(told[1]?.data).not.toHaveProperty('reason');
    // As the reference describes them, no more and no less.
    for (const event of sipWebhookEvents) {
      for (const each of told) if (each.webhookType === event) expect(callEvent(event).parse(each)).toEqual(each);
    }
  });

  test('hear of what they asked for alone, and of nothing from before they were made', async () => {
    await world.dialer();
    const early = await aCall(ringer, 'ringing');
    await hook(['call-ringing', 'call-missed']);
    await end(early);
    await until(async () => (await callOf(early)).status === 'abandoned');
    expect((await deliveriesOf(early)).map(({ event }) => event)).toEqual(['call-missed']);
  });

  test('hear of a call that was ended before it was dialed', async () => {
    await hook(all);
    const [id] = await world.calls(gateway, null, [talker]);
    await end(id!);
    const [delivery, ...more] = await deliveriesOf(id!);
    expect(more).toEqual([]);
    expect(JSON.parse(delivery!.payload)).toMatchObject({
      webhookType: 'call-missed',
      data: { status: 'abandoned', reason: 'ended_by_api' },
    });
  });

  test('that are deleted while calls are under way hear no more, and hold up no call', async () => {
    const id = await hook(all);
    await world.dialer();
    const call = await aCall(ringer, 'ringing');
    await until(async () => (await deliveriesOf(call)).length === 2);
    await world.database.db.deleteFrom('sip_webhooks').where('id', '=', id).execute();
    expect(await deliveriesOf(call)).toEqual([]);
    await end(call);
    await until(async () => (await callOf(call)).status === 'abandoned');
    expect(await deliveriesOf(call)).toEqual([]);
  });

  test('of another account hear nothing', async () => {
    await world.database.db
      .insertInto('accounts')
      .values({ id: 'acc_other', name: 'Other', webhook_secret_sealed: 'sealed' })
      .execute();
    await world.database.db
      .insertInto('sip_webhooks')
      .values({ id: 'swh_other', account_id: 'acc_other', url: 'https://hooks.example.com/y', events: all })
      .execute();
    await world.dialer();
    const call = await aCall(ringer, 'ringing');
    expect(await deliveriesOf(call)).toEqual([]);
  });
});

test('an answered call starts its summary where the version that spoke summarizes, and only there', async () => {
  const [agent] = await rowsOf<{ id: string; agent_id: string }>('select id, agent_id from agent_versions');
  await world.dialer();
  const [plain] = await world.calls(gateway, null, ['+15550100200']);
  await until(async () => (await callOf(plain!)).status === 'answered');
  await world.database.pool.query(
    `insert into agent_versions (id, account_id, agent_id, number, name, config)
     values ('ver_two', $1, $2, 2, 'Second', '{"callSummary": {"enabled": true}}')`,
    [world.accountId, agent!.agent_id],
  );
  await world.database.pool.query(`update deployments set version_id = 'ver_two'`);
  const [summarized, unanswered] = await world.calls(gateway, null, ['+15550100210', '+15550100221']);
  await until(async () => (await callOf(summarized!)).status === 'answered');
  await until(async () => (await callOf(unanswered!)).status === 'rejected');
  expect(await rowsOf(`select workflow_id, input from outbox where name = 'summarizeCall'`)).toEqual([
    { workflow_id: `call_${summarized!}/summary`, input: { accountId: world.accountId, callId: summarized } },
  ]);
});
