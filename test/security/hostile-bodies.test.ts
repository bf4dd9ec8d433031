import { expect, test } from 'vitest';
import { operations } from '../../api/operations.js';
import { ask } from '../api/one-of-each.js';
import { anAccount, anotherApp, here, settings, useApi } from '../api/support.js';
import { besidesMs, bodyWith, send, sendHostileBodies, timesParsing } from './hostile-bodies.js';
import { shapes } from './hostile-shapes.js';

settings.OUTDIAL_PROVIDER = 'simulator';
useApi();

// Each operation gets some of the shapes, and each shape goes to some operation. All of each: the *.long.test.ts beside this file.
sendHostileBodies({ share: 4 });

test('P1-1: while hostile bodies of one account are read, another account’s request is answered', async () => {
  const [agents] = operations.filter(({ method, url }) => method === 'POST' && url === '/v1/agents');
  const hostile = bodyWith({ name: 'x' }, ['languages'], shapes['100,000 keys'] ?? '');
  const { token } = await anAccount();
  const running = Array.from({ length: 10 }, () => send(agents!, hostile));
  const begun = performance.now();
  const [answer] = await Promise.all([ask({ method: 'GET' }, '/v1/account', { token }), Promise.all(running)]);
  expect(answer.status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(10 * (timesParsing * 20 + besidesMs));
});

test('P1-1: however many large bodies one account sends at once, another account’s request waits for one of them at most', async () => {
  const bob = await anAccount();
  const address = await (await anotherApp({})).listen({ host: '127.0.0.1', port: 0 });
  const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index]));
  const recipients = Array.from({ length: 6_000 }, (_, index) => ({
    phoneNumber: `+1206${5_550_000 + index}`,
    metadata,
  }));
  const body = JSON.stringify({ name: 'Many', phoneNumber: '+12065550100', recipients });

  const state = { sending: true, answered: 0 };
  const sent = Promise.all(
    Array.from({ length: 12 }, async () => {
      const headers = { authorization: here().me.token, 'content-type': 'application/json' };
      const { status } = await fetch(`${address}/v1/batch-calls`, { method: 'POST', headers, body });
      state.answered += 1;
      return status;
    }),
  ).finally(() => (state.sending = false));

  // Counted in his neighbour's answers that come meanwhile, since the machine may be busy. One may be on its way already.
  const meanwhile: number[] = [];
  while (state.sending) {
    const before = state.answered;
    const { status } = await fetch(`${address}/v1/account`, { headers: { authorization: bob.token } });
    meanwhile.push(state.answered - before);
    expect(status).toBe(200);
  }
  expect(new Set(await sent)).toEqual(new Set([404]));
  expect(Math.max(...meanwhile)).toBeLessThanOrEqual(2);
}, 120_000);
