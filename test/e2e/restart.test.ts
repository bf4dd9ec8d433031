import { expect, test } from 'vitest';
import { batchIs, csv, numbersWithScript, processesOn, runService, setUp, until } from './running-service.js';

test('after kill -9 of everything, a second `up` on the same data finishes the batch, and Ctrl-C leaves no process behind', async () => {
  const first = await runService({ speed: 20 });
  const { phoneNumber } = await setUp(first);
  const numbers = [...numbersWithScript(0, 40, 1_000), ...numbersWithScript(7, 40, 2_000)];
  const { body } = await first.createBatch(
    { name: 'people.csv', content: csv(numbers) },
    { name: 'Crash', phoneNumber },
  );
  const invites = () => first.ledger().filter((line) => line.event === 'invite');
  await until(() => invites().length >= 30);
  await first.killEverything();

  const second = await runService({ folder: first.folder, speed: 20 });
  await batchIs(second, body.batchId, 'completed');
  const perAttempt = new Map<string, number>();
  for (const { callId, attempt } of invites()) {
    perAttempt.set(`${callId}/${attempt}`, (perAttempt.get(`${callId}/${attempt}`) ?? 0) + 1);
  }
  expect([...perAttempt].filter(([, count]) => count > 1)).toEqual([]);
  expect(new Set(invites().map((line) => line.to)).size).toBe(numbers.length);
  expect((await second.request('GET', `/v1/batch-calls/${String(body.batchId)}/stats`)).body).toMatchObject({
    total: 80,
    pending: 0,
    dialing: 0,
  });

  await second.stop();
  expect(processesOn(first.folder)).toEqual([]);
  second.removeData();
});
