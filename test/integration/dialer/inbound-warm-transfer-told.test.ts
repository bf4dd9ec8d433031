import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockPrices, putPrices } from '../../../db/queries/accounts/prices.js';
import { spansOfEnded } from '../../../db/queries/calls/traced.js';
import type { CallProvider, TargetOrder } from '../../../telephony/provider.js';
import { aCalledNumber, type CalledNumber } from './callers.js';
import { controlledCalls, takes, type ControlledCalls } from './controlled-calls.js';
import { until, type DialerTestEnv } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
let line: CalledNumber;
beforeEach(async () => {
  calls = await controlledCalls();
  ({ testEnv } = calls);
  line = await aCalledNumber(testEnv, calls.gateway, 'frankfurt');
});
afterEach(() => testEnv.close());

const declines = '+15550100190';
const db = () => testEnv.database.db;
const becomes = (id: string, status: string) => until(async () => (await calls.transferOf(id))?.status === status);

describe('of the warm transfer of a call that came in', () => {
  const setPrice = () =>
    db()
      .transaction()
      .execute(async (tx) => {
        await lockPrices(tx, testEnv.accountId, 'USD');
        const price = {
          gatewayId: null,
          country: 'US',
          perMinuteMicros: 1_000_000,
          incrementSeconds: 60,
          minimumSeconds: 60,
        };
        await putPrices(tx, testEnv.accountId, { currency: 'USD', calls: [price] });
      });

  // shows: prices.transfer
  test('its minutes are in the cost of the call as those of an outgoing leg, once, and its trace has a span', async () => {
    await setPrice();
    await Promise.all([testEnv.dialer(), testEnv.dialer()]);
    const id = await line.comesIn();
    await calls.transfer(id, declines, 'warm');
    await becomes(id, 'failed');
    await calls.transfer(id, takes, 'warm');
    await becomes(id, 'transferred');
    await line.hangsUp(id);
    const legs = () =>
      calls.rowsOf('select cost, gateway_id from call_transfers where call_id = $1 and left_at is not null', [id]);
    await until(async () => (await legs()).length === 2);
    expect(await legs()).toEqual([1, 2].map(() => ({ cost: '1000000', gateway_id: calls.gateway.id })));
    // A price for all is none for the minutes of the caller: those are without a price.
    expect(await calls.rowsOf('select cost, unpriced from call_attempts where call_id = $1', [id])).toEqual([
      { cost: '2000000', unpriced: true },
    ]);
    const spans = (await spansOfEnded(db(), [{ callId: id, attempt: 1 }], [])).filter(
      ({ name }) => name === 'transfer target',
    );
    expect(spans.map(({ attributes }) => attributes)).toMatchObject([
      { 'outdial.transferred': false, 'outdial.gateway_id': calls.gateway.id },
      { 'outdial.transferred': true, 'outdial.gateway_id': calls.gateway.id },
    ]);
  });

  test('the webhook that tells of its end has both steps of the transfer in the timelog, as the call has', async () => {
    await calls.rowsOf(
      `insert into sip_webhooks (id, account_id, url, events) values ('sipwh_1', $1, 'https://example.com', '{call-hangup}')`,
      [testEnv.accountId],
    );
    await testEnv.dialer();
    const id = await line.comesIn();
    await calls.transfer(id, takes, 'warm');
    await becomes(id, 'transferred');
    await line.hangsUp(id);
    const [delivery] = await calls.rowsOf<{ payload: string }>(
      `select payload from webhook_deliveries where call_id = $1 and event = 'call-hangup'`,
      [id],
    );
    const { data } = JSON.parse(delivery!.payload) as { data: { timelog: { status: string }[] } };
    const words = data.timelog.map(({ status }) => status);
    expect(words).toEqual(['incoming', 'answered', 'transfer-initiated', 'transferred', 'ended']);
  });

  test('the target is called in the region that has the caller, into a room of its own', async () => {
    const orders: TargetOrder[] = [];
    const held: unknown[] = [];
    const inner = testEnv.provider();
    await testEnv.dialer({
      ...inner,
      askToHold: (leg) => {
        held.push(leg);
        return inner.askToHold(leg);
      },
      callTarget: (order) => {
        orders.push(order);
        return inner.callTarget(order);
      },
    } satisfies CallProvider);
    const id = await line.comesIn();
    await calls.transfer(id, takes, 'warm');
    await becomes(id, 'transferred');
    const [{ room } = { room: '' }] = await calls.rowsOf<{ room: string }>('select room from inbound_legs');
    expect(held).toContainEqual(expect.objectContaining({ callId: id, room, inboundRegion: 'frankfurt' }));
    expect(orders).toMatchObject([
      {
        leg: { callId: id, room, inboundRegion: 'frankfurt' },
        ...{ from: line.number, to: takes, gateway: { id: calls.gateway.id, region: 'frankfurt' } },
      },
    ]);
    expect(orders[0]?.room).toMatch(/_target_/);
  });
});
