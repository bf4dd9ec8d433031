import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { dispositionOf } from '../../../domain/call/disposition.js';
import type { AttemptResult, CallProvider, DialOrder } from '../../../telephony/provider.js';
import { createSimulatorProvider } from '../../../telephony/simulator/driver.js';
import { type Simulator, startSimulator } from '../../../telephony/simulator/start.js';
import { createTrunk, jitterSeconds, windowsOf } from '../../../telephony/simulator/trunk.js';
import { ledgerLines, orderTo } from './carrier-process.js';

let simulator: Simulator;
let provider: CallProvider;
let ledgerPath: string;

beforeEach(async () => {
  ledgerPath = join(temporaryFolder('limits'), 'ledger.jsonl');
  simulator = await startSimulator({
    ledgerPath,
    speed: 1000,
    scenario: { numbers: { '+15550190': [{ kind: 'answer', talkSeconds: 600_000 }] } },
  });
  provider = createSimulatorProvider({ url: simulator.url });
});
afterEach(async () => {
  await provider.close();
  await simulator.stop();
});

const call = async (path: string, body?: object): Promise<{ status: number; body: unknown }> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(
    `${simulator.url}${path}`,
    body && { method: 'POST', body: JSON.stringify(body), headers },
  );
  return { status: response.status, body: await response.json() };
};
const dial = (changes: Partial<DialOrder> = {}, to = '+15550100120'): Promise<AttemptResult> =>
  provider.dial(orderTo(to, changes), () => undefined);
const meaning = (fact: AttemptResult): unknown =>
  dispositionOf(fact, { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 });

describe('calls per second', () => {
  test('more than the trunk takes are refused as throttled and counted as violations, on that gateway alone', async () => {
    await call('/faults', { gatewayId: 'gwo_slow', callsPerSecond: 0.1 });
    const most = windowsOf(0.1)[0]!.most;

    const ends = await Promise.all(Array.from({ length: most + 3 }, () => dial({ gatewayId: 'gwo_slow' })));
    const refused = ends.filter(({ how }) => how === 'refused');
    expect(refused).toHaveLength(3);
    for (const end of refused) expect(meaning(end)).toMatchObject({ kind: 'requeue', why: 'rate' });

    const others = await Promise.all(Array.from({ length: 30 }, () => dial({ gatewayId: 'gwo_fast' })));
    expect(others.every(({ how }) => how === 'ended')).toBe(true);
    expect((await call('/stats')).body).toMatchObject({
      violations: { calls_per_second: 3 },
      gateways: { gwo_slow: { invites: most + 3, violations: { calls_per_second: 3 } } },
    });
    expect(ledgerLines(ledgerPath).filter(({ event }) => event === 'violation')).toHaveLength(3);
  });

  test.each([0.1, 0.5, 1, 3, 4, 10, 50, 200])(
    'a sender that keeps to %d a second, each a quarter of a second late at most, is never refused',
    (callsPerSecond) => {
      const trunk = createTrunk();
      const broken = Array.from({ length: 500 }, (_, index) => {
        const slotMs = (index * 1000) / callsPerSecond;
        // The worst of it: all those up to slot 250 are as late as they may be, all after it in time.
        const lateMs = index % 250 < 125 ? jitterSeconds * 1000 : 0;
        return { atMs: slotMs + lateMs };
      })
        .sort((a, b) => a.atMs - b.atMs)
        .map(({ atMs }) => trunk.limitBrokenBy(atMs, { callsPerSecond }));
      expect(broken.filter((one) => one !== null)).toEqual([]);
    },
  );

  test.each([0.1, 1, 4, 50])('a sender of twice %d a second is refused', (callsPerSecond) => {
    const trunk = createTrunk();
    const broken = Array.from({ length: 500 }, (_, index) =>
      trunk.limitBrokenBy((index * 1000) / (2 * callsPerSecond), { callsPerSecond }),
    );
    expect(broken).toContain('calls_per_second');
  });
});

describe('channels', () => {
  test('a call too many is refused as such and counted, until another one ends', async () => {
    await call('/faults', { gatewayId: 'gwo_narrow', channels: 2 });
    const orders = [1, 2].map(() => orderTo('+15550190', { gatewayId: 'gwo_narrow' }));
    const live = orders.map(
      (order) =>
        new Promise<void>((resolve) => {
          void provider.dial(order, ({ type }) => type === 'answered' && resolve()).catch(() => undefined);
        }),
    );
    await Promise.all(live);

    const end = await dial({ gatewayId: 'gwo_narrow' });
    expect(end).toMatchObject({ how: 'refused', sipStatusCode: 503 });
    expect(meaning(end)).toMatchObject({ kind: 'requeue', why: 'channels' });
    expect((await call('/stats')).body).toMatchObject({
      gateways: { gwo_narrow: { live: 2, peakLive: 2, violations: { channels: 1 } } },
    });

    await provider.hangUp(orders[0]!, 'ended_by_api');
    expect(await dial({ gatewayId: 'gwo_narrow' })).toMatchObject({ how: 'ended' });
  });
});

describe('faults', () => {
  test.each([
    [{ silence: true }, { how: 'no_response' }],
    [{ refuseCredentials: true }, { how: 'gateway_fault', sipPhrase: 'credentials refused' }],
    [{ refuseConnection: true }, { how: 'gateway_fault', sipPhrase: 'connection refused' }],
    [{ agentMissing: true }, { how: 'agent_missing' }],
    [
      { answer: { sipStatusCode: 403, sipPhrase: 'Account is disabled D17' } },
      { how: 'refused', sipStatusCode: 403, sipPhrase: 'Account is disabled D17' },
    ],
  ])('%o holds for its gateway alone, until it is taken away', async (fault, expected) => {
    await call('/faults', { gatewayId: 'gwo_faulty', ...fault });
    expect(await dial({ gatewayId: 'gwo_faulty' })).toMatchObject(expected);
    expect(await dial({ gatewayId: 'gwo_sound' })).toMatchObject({ how: 'ended' });

    const cleared = Object.fromEntries(Object.keys(fault).map((name) => [name, null]));
    await call('/faults', { gatewayId: 'gwo_faulty', ...cleared });
    expect(await dial({ gatewayId: 'gwo_faulty' })).toMatchObject({ how: 'ended' });
  });

  test('without a gateway hold for all that have no setting of their own', async () => {
    await call('/faults', { channels: 0 });
    await call('/faults', { gatewayId: 'gwo_open', channels: null });
    expect(await dial({ gatewayId: 'gwo_any' })).toMatchObject({ sipStatusCode: 503 });
    expect(await dial({ gatewayId: 'gwo_open' })).toMatchObject({ how: 'ended' });
  });

  test('show in a check of the gateway', async () => {
    const { gateway } = orderTo('+15550100120', { gatewayId: 'gwo_checked' });
    expect(await provider.checkGateway(gateway)).toMatchObject({ reachable: true, statusCode: 200 });
    await call('/faults', { gatewayId: 'gwo_checked', refuseCredentials: true });
    expect(await provider.checkGateway(gateway)).toMatchObject({ reachable: true, statusCode: 403 });
    await call('/faults', { gatewayId: 'gwo_checked', silence: true });
    expect(await provider.checkGateway(gateway)).toMatchObject({ reachable: false });
  });
});

describe('a request that makes no sense', () => {
  test.each([
    ['/faults', { silence: 'yes' }, 'silence'],
    ['/faults', { sillence: true }, 'sillence'],
    ['/faults', { channels: -1 }, 'channels'],
    ['/legs', { callId: 'call_1' }, 'attempt'],
    ['/legs', { ...orderTo('+15550100120'), invite: 0 }, 'invite'],
    ['/legs/reconcile', { callId: 'call_1', attempt: 'one' }, 'attempt'],
  ])('%s names what is wrong and changes nothing', async (path, body, named) => {
    const before = (await call('/stats')).body;
    const answer = await call(path, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(named);
    expect((await call('/stats')).body).toEqual(before);
  });

  test('a body that is no JSON is 400, an unknown path 404', async () => {
    const broken = await fetch(`${simulator.url}/legs`, {
      ...{ method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
    });
    expect(broken.status).toBe(400);
    expect((await call('/nowhere')).status).toBe(404);
  });
});

test('the ledger can be read over HTTP, from any line on', async () => {
  await dial();
  const text = await (await fetch(`${simulator.url}/ledger`)).text();
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
    ...['started', 'invite', 'ringing', 'answered', 'ended'],
  ]);
  const from = Buffer.byteLength(`${lines[0]}\n`);
  expect(await (await fetch(`${simulator.url}/ledger?from=${from}`)).text()).toBe(text.slice(from));
});
