import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedFetch } from '../../../platform/outbound-url.js';
import { withTimeLimit } from '../../../platform/time-limit.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** In turns of their own, in which nothing is on the stack that still refers to a signal. */
async function collectGarbage(): Promise<void> {
  for (let turns = 3; turns > 0; turns--) {
    await setImmediate();
    collect();
  }
}

const never = new AbortController().signal;
const pieces = Array.from({ length: 50 });

test('a time limit comes even if garbage is collected before, and says so', async () => {
  let heard = 0;
  const last = Promise.all(
    pieces.map(async () => {
      const signal = withTimeLimit(never, 100);
      signal.addEventListener('abort', () => (heard += (signal.reason as Error).name === 'TimeoutError' ? 1 : 0));
      await once(signal, 'abort');
    }),
  );
  await collectGarbage();
  await last;
  expect(heard).toBe(pieces.length);
});

test('a request without an answer ends with its time limit, however often garbage is collected meanwhile', async () => {
  const silent = createServer(() => undefined);
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const guarded = createGuardedFetch({ allowPrivate: true, allowInsecure: true });
  onTestFinished(async () => {
    silent.closeAllConnections();
    silent.close();
    await guarded.close();
  });
  const { port } = silent.address() as AddressInfo;
  const asked = Promise.allSettled(
    pieces.map(async () => guarded(`http://127.0.0.1:${port}/`, { signal: withTimeLimit(never, 300) })),
  );
  await once(silent, 'request');
  await collectGarbage();
  const answers = await asked;
  expect(answers.map((answer) => answer.status === 'rejected' && (answer.reason as Error).name)).toEqual(
    pieces.map(() => 'TimeoutError'),
  );
});

test('a time limit does not outlast the signal beside it', async () => {
  const over = new AbortController();
  const signal = withTimeLimit(over.signal, 60_000);
  over.abort(new Error('the call is over'));
  expect(signal.reason).toEqual(new Error('the call is over'));
});
