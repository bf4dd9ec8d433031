import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { AnswerLost, type CallProvider, type DialOrder, ProviderUnreachable } from '../../../telephony/provider.js';
import { createSimulatorProvider } from '../../../telephony/simulator/driver.js';
import { type CarrierProcess, orderTo, startCarrierProcess } from './carrier-process.js';

let carrier: CarrierProcess;
let provider: CallProvider;

const ringsForLong = '+15550100130';
const talksForLong = '+15550100140';
const scenarioPath = join(temporaryFolder('scenario'), 'scenario.json');
const numbers = {
  [ringsForLong]: [{ kind: 'answer', answerAfterSeconds: 60_000 }],
  [talksForLong]: [{ kind: 'answer', talkSeconds: 60_000 }],
};
writeFileSync(scenarioPath, JSON.stringify({ numbers }));

beforeEach(async () => {
  carrier = await startCarrierProcess('--speed', '100', '--scenario', scenarioPath);
  provider = createSimulatorProvider({ url: carrier.url });
});
afterEach(async () => {
  await provider.close();
  await carrier.kill();
});

const restart = async (): Promise<void> => {
  await carrier.kill();
  await carrier.start();
};
const linesOf = ({ callId, attempt, invite }: DialOrder): string[] =>
  carrier
    .ledger()
    .filter((line) => line.callId === callId && line.attempt === attempt && line.invite === invite)
    .map(({ event }) => event);

test('an INVITE is in the ledger before it is reported', async () => {
  for (let round = 0; round < 40; round++) {
    const order = orderTo('+15550100120');
    const written = await atFirstByteOfAnswer(order, () => linesOf(order));
    expect(written[0]).toBe('invite');
  }
});

/** Runs `look` in the very tick in which the first byte of the carrier's answer comes. */
const atFirstByteOfAnswer = <Seen>(order: DialOrder, look: () => Seen): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify(order);
    const socket = connect(Number(new URL(carrier.url).port), '127.0.0.1');
    socket.once('data', () => {
      resolve(look());
      socket.destroy();
    });
    socket.on('error', reject);
    const head = ['POST /legs HTTP/1.1', 'host: carrier', 'content-type: application/json'];
    socket.write(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });

describe('after a kill -9 of the carrier', () => {
  test('a fence still holds, and the refusal shows in the ledger', async () => {
    const order = orderTo('+15550100120');
    expect(await provider.reconcile(order)).toBe('fenced');
    await restart();
    expect(await provider.dial(order, () => undefined)).toMatchObject({ how: 'not_sent', words: 'fenced' });
    expect(linesOf(order)).toEqual(['fenced', 'refused']);
  });

  test('a leg that was over is told as before', async () => {
    const order = orderTo('+15550100120');
    const end = await provider.dial(order, () => undefined);
    await restart();
    expect(await provider.reconcile(order)).toEqual(end);
    expect(await provider.follow(order, () => undefined)).toEqual(end);
  });

  test.each([
    ['ringing', ringsForLong, { how: 'unknown', rang: true }],
    ['answered', talksForLong, { how: 'ended', rang: true, answeredBy: 'human' }],
  ])('a leg that was %s is over, as far as the ledger knows', async (until, to, expected) => {
    const order = orderTo(to, { ringTimeoutSeconds: 100_000, maxCallSeconds: 100_000 });
    await new Promise<void>((resolve) => {
      void provider.dial(order, ({ type }) => type === until && resolve()).catch(() => undefined);
    });
    await restart();
    expect(await provider.reconcile(order)).toMatchObject({ ...expected, reason: 'carrier_restarted' });
    expect(linesOf(order).at(-1)).toBe('ended');
  });

  test('a reference that was dialed before is not dialed again, and the second dial is counted as a violation', async () => {
    const order = orderTo('+15550100120');
    await provider.dial(order, () => undefined);
    await restart();
    expect(await provider.dial(order, () => undefined)).toMatchObject({ how: 'refused', sipStatusCode: 482 });
    expect(linesOf(order)).toEqual(['invite', 'ringing', 'answered', 'ended', 'invite', 'violation', 'rejected']);
    expect(await (await fetch(`${carrier.url}/stats`)).json()).toMatchObject({
      invites: 2,
      violations: { repeated: 1 },
    });
    expect(await provider.reconcile(order)).toMatchObject({ how: 'ended' });
  });

  test('…6, told 503 already, answers the next invite', async () => {
    const order = orderTo('+15550100126');
    expect(await provider.dial(order, () => undefined)).toMatchObject({ sipStatusCode: 503 });
    await restart();
    expect(await provider.dial({ ...order, invite: 2 }, () => undefined)).toMatchObject({ how: 'ended' });
  });

  test('a line torn by the crash is passed over and the next one is whole', async () => {
    const order = orderTo('+15550100120');
    await provider.dial(order, () => undefined);
    await carrier.kill();
    appendFileSync(carrier.ledgerPath, '{"at":"2026-01-01T00:00:00.000Z","event":"inv');
    await carrier.start();
    expect(await provider.reconcile(order)).toMatchObject({ how: 'ended' });
    const [torn, started] = readFileSync(carrier.ledgerPath, 'utf8').trimEnd().split('\n').slice(-2);
    expect(torn).toMatch(/"inv$/);
    expect(JSON.parse(started ?? '')).toMatchObject({ event: 'started' });
  });
});

describe('killed at any moment of a burst of dials', () => {
  test.each([1, 7, 20, 45])(
    'after %i legs rang: nothing that the driver calls unsent was sent, and nothing sent is unknown to the ledger',
    async (rang) => {
      const orders = Array.from({ length: 60 }, () => orderTo(talksForLong));
      let ringing = 0;
      let killed: Promise<void> | undefined;
      const fates = await Promise.all(
        orders.map((order) =>
          provider
            .dial(order, ({ type }) => {
              if (type === 'ringing' && ++ringing === rang) killed = carrier.kill();
            })
            .catch((error: unknown) => error),
        ),
      );
      await killed;
      await carrier.start();

      for (const [index, order] of orders.entries()) {
        const fate = fates[index];
        const invited = linesOf(order).filter((event) => event === 'invite').length;
        if (fate instanceof ProviderUnreachable) expect(invited).toBe(0);
        else if (fate instanceof AnswerLost) {
          const found = await provider.reconcile(order);
          expect(found === 'fenced').toBe(invited === 0);
          expect(found).not.toBe('live');
        } else throw new Error(`a leg that talks for long ended: ${JSON.stringify(fate)}`);
        expect(invited).toBeLessThanOrEqual(1);
      }
      expect(fates.some((fate) => fate instanceof AnswerLost)).toBe(true);
    },
  );

  test('an answer that does not come in time is lost, and the leg can be asked for once the carrier thaws', async () => {
    const impatient = createSimulatorProvider({ url: carrier.url, answerTimeoutMs: 500 });
    const order = orderTo('+15550100120');
    await impatient.prepare(order);
    process.kill(carrier.pid(), 'SIGSTOP');
    try {
      await expect(impatient.dial(order, () => undefined)).rejects.toBeInstanceOf(AnswerLost);
    } finally {
      process.kill(carrier.pid(), 'SIGCONT');
    }
    const found = await impatient.reconcile(order);
    const invited = linesOf(order).filter((event) => event === 'invite').length;
    expect(invited).toBe(found === 'fenced' ? 0 : 1);
    await impatient.close();
  });
});
