import { expect, test } from 'vitest';
import { operations } from '../../api/operations.js';
import { ask } from '../api/one-of-each.js';
import { anAccount, settings, useApi } from '../api/support.js';
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
