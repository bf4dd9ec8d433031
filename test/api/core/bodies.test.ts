import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../../api/operation.js';
import { operations } from '../../../api/operations.js';
import { errorSchema } from '../../../api/plugins/errors.js';
import { ask, oneOfEach, pathWith, type PathValues } from '../one-of-each.js';
import { here } from '../support.js';

let mine: PathValues = {};
beforeAll(async () => {
  mine = await oneOfEach();
});

const withBody = operations.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
const onlyForm = ({ schema }: Operation): boolean => schema.documentedBody?.contentType === 'multipart/form-data';
const takesForm = (operation: Operation): boolean =>
  onlyForm(operation) || operation.schema.documentedBody?.form !== undefined;
const named = (some: readonly Operation[]) =>
  some.map((operation) => [`${operation.method} ${operation.url}`, operation] as const);
const ofJson = named(withBody.filter((operation) => !onlyForm(operation)));

const send = (operation: Operation, body: unknown, type = 'application/json') =>
  ask(operation, pathWith(operation.url, mine), { token: here().me.token, body, headers: { 'content-type': type } });

const expectRefusal = (operation: Operation, response: Awaited<ReturnType<typeof send>>, status: number): void => {
  expect(response.status).toBe(status);
  expect(errorSchema(operation.family, status).safeParse(response.body).success).toBe(true);
};

// shows: everywhere.error-families, everywhere.malformed
test.each(ofJson)('%s calls malformed JSON a problem of the request', async (_name, operation) => {
  for (const text of ['{"broken', '{]', '\u0000', '{"a":1}}']) {
    expectRefusal(operation, await send(operation, text), 400);
  }
});

// shows: everywhere.no-object
test.each(ofJson)('%s refuses JSON that is no object', async (_name, operation) => {
  for (const text of ['[]', '1', '"text"', 'true']) {
    expectRefusal(operation, await send(operation, text), 400);
  }
});

// shows: everywhere.unknown-keys
test.each(ofJson)('%s names an unknown key', async (_name, operation) => {
  const response = await send(operation, { colour_of_nothing: 1 });
  expectRefusal(operation, response, 400);
  expect(response.text).toContain('colour_of_nothing');
});

// shows: everywhere.unstorable
test.each(ofJson)(
  '%s refuses what is neither stored nor read: NUL, broken characters, endless numbers and nesting',
  async (_name, operation) => {
    const deep = `${'{"metadata":'.repeat(200)}1${'}'.repeat(200)}`;
    for (const text of ['{"name":"a\\u0000b"}', '{"name":"\\ud800"}', '{"metadata":{"x":1e400}}', deep]) {
      expectRefusal(operation, await send(operation, text), 400);
    }
  },
);

// shows: everywhere.413
test.each(ofJson)('%s reads a body as large as its limit, and none that is a byte larger', async (_name, operation) => {
  const limit = operation.bodyLimit ?? 1_048_576;
  const sized = (bytes: number) => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`;
  expect((await send(operation, sized(limit))).status).not.toBe(413);
  expectRefusal(operation, await send(operation, sized(limit + 1)), 413);
});

// shows: everywhere.415
test.each(named(withBody))('%s is 415 for a type that it does not take', async (_name, operation) => {
  expectRefusal(operation, await send(operation, 'a=b', 'application/x-www-form-urlencoded'), 415);
  expectRefusal(operation, await send(operation, 'hello', 'text/plain'), 415);
  if (onlyForm(operation)) expectRefusal(operation, await send(operation, '{}'), 415);
  if (!takesForm(operation))
    expectRefusal(operation, await send(operation, '--x--', 'multipart/form-data; boundary=x'), 415);
});

// shows: everywhere.415
test.each(named(withBody))('%s says of a compressed body that it is compressed', async (_name, operation) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await ask(operation, pathWith(operation.url, mine), { token: here().me.token, body: '{}', headers });
  expectRefusal(operation, answer, 415);
  expect(answer.text).toContain('must not be compressed');
});
