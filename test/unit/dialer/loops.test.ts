import { pino } from 'pino';
import { expect, test } from 'vitest';
import { runLoops } from '../../../dialer/loops.js';
import { createWakeSignal } from '../../../dialer/wake-signal.js';

const anHourMs = 3_600_000;

test('a round that fails is logged and counted with what the dialer could not do, and the next round comes when it is woken', async () => {
  const lines: string[] = [];
  const failed: string[] = [];
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const wake = createWakeSignal();
  let rounds = 0;
  const stop = await new Promise<() => Promise<void>>((resolve) => {
    const run = () => {
      rounds += 1;
      if (rounds === 2) resolve(stopLoops);
      else wake.ring();
      return rounds === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    };
    const stopLoops = runLoops([{ does: 'hang up calls', everyMs: anHourMs, run, wake }], logger, (does) =>
      failed.push(does),
    );
  });
  await stop();
  expect(failed).toEqual(['hang up calls']);
  expect(rounds).toBe(2);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the dialer could not hang up calls; trying again',
  ]);
});
