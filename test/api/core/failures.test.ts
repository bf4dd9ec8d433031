import { expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { errorSchema } from '../../../api/plugins/errors.js';
import type { Operation } from '../../../api/operation.js';
import { openDatabase } from '../../../db/client.js';
import { ask, unknownIds, pathWith } from '../one-of-each.js';
import { anAccount, anotherApp, here } from '../support.js';

/** What an operation answers when this stands in the way of all of them. */
async function answersOf(app: Awaited<ReturnType<typeof anotherApp>>, token = here().me.token) {
  const answers: { operation: Operation; name: string; response: Awaited<ReturnType<typeof ask>> }[] = [];
  for (const operation of operations) {
    const response = await ask(operation, pathWith(operation.url, unknownIds()), { token, app });
    answers.push({ operation, name: `${operation.method} ${operation.url}`, response });
  }
  return answers;
}

const wrongShape = (answers: Awaited<ReturnType<typeof answersOf>>, status: number): string[] =>
  answers
    .filter(({ operation, response }) => !errorSchema(operation.family, status).safeParse(response.body).success)
    .map(({ name, response }) => `${name}: ${response.text}`);

const otherStatus = (answers: Awaited<ReturnType<typeof answersOf>>, status: number): string[] =>
  answers
    .filter(({ response }) => response.status !== status)
    .map(({ name, response }) => `${name}: ${response.status}`);

// shows: everywhere.429
test('every operation is 429 with Retry-After, in the shape of its family, to an account that asks too fast', async () => {
  const env = { ...here().deps.env, OUTDIAL_RATE_LIMIT_PER_SECOND: 0.01, OUTDIAL_RATE_LIMIT_BURST: 1 };
  const app = await anotherApp({ env });
  const { token } = await anAccount('Hasty');
  const [, ...later] = [...(await answersOf(app, token)), ...(await answersOf(app, token))];
  expect(otherStatus(later, 429)).toEqual([]);
  expect(wrongShape(later, 429)).toEqual([]);
  expect(later.filter(({ response }) => !/^[1-9]\d*$/.test(String(response.headers['retry-after'])))).toEqual([]);
});

// shows: everywhere.503
test('every operation is 503 with Retry-After, in the shape of its family, while Postgres is away', async () => {
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, name: 'nowhere' });
  const answers = await answersOf(await anotherApp({ database }));
  await database.close();
  expect(otherStatus(answers, 503)).toEqual([]);
  expect(wrongShape(answers, 503)).toEqual([]);
  expect(answers.filter(({ response }) => !/^\d+$/.test(String(response.headers['retry-after'])))).toEqual([]);
  expect(answers.filter(({ response }) => response.text.includes('127.0.0.1'))).toEqual([]);
});

// shows: everywhere.500, everywhere.error-families
test('every operation is 500, in the shape of its family and without a reason, after an accident of our own', async () => {
  const open = () => {
    throw new Error('the vault exploded at /srv/secret-place');
  };
  const answers = await answersOf(await anotherApp({ secretBox: { ...here().deps.secretBox, open } }));
  expect(otherStatus(answers, 500)).toEqual([]);
  expect(wrongShape(answers, 500)).toEqual([]);
  expect(answers.filter(({ response }) => response.text.includes('vault'))).toEqual([]);
});
