import { expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { signToken } from '../../../platform/token.js';
import { ask, unknownIds, pathWith } from '../one-of-each.js';
import { here } from '../support.js';

const named = operations.map((operation) => [`${operation.method} ${operation.url}`, operation] as const);
const tokenFor = (permissions: readonly string[]) =>
  signToken(here().me.secret, { keyId: here().me.key.id, permissions });
const forbidden = { status: 403, body: { error: expect.any(String) as unknown } };

// shows: token.read
test.each(named.filter(([, { method }]) => method !== 'GET'))(
  '%s is 403 with {error} to a read token',
  async (_name, operation) => {
    const response = await ask(operation, pathWith(operation.url, unknownIds()), { token: await tokenFor(['read']) });
    expect(response).toMatchObject(operation.playground === true ? {} : forbidden);
  },
);

// shows: token.read
test.each(named.filter(([, { method }]) => method === 'GET'))(
  '%s answers a read token as it should',
  async (_name, operation) => {
    const response = await ask(operation, pathWith(operation.url, unknownIds()), { token: await tokenFor(['read']) });
    // The one thing that a read token must not read is what is itself a secret.
    expect(operation.answersSecret === true ? [403] : [200, 404]).toContain(response.status);
  },
);

// shows: token.unknown-permission
test.each(named)('%s is 403 to a token whose permissions are none or unknown', async (_name, operation) => {
  for (const permissions of [[], ['everything'], ['write', 'admin']]) {
    const token = await tokenFor(permissions);
    expect(await ask(operation, pathWith(operation.url, unknownIds()), { token })).toMatchObject(forbidden);
  }
});

// shows: token.playground
test.each(named.filter(([, { playground }]) => playground !== true))(
  '%s is 403 to a token of the playground',
  async (_name, operation) => {
    const token = await tokenFor(['playground']);
    expect(await ask(operation, pathWith(operation.url, unknownIds()), { token })).toMatchObject(forbidden);
  },
);
