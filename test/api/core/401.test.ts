import { beforeAll, expect, test } from 'vitest';
import { createKey, deactivateKey, issueToken } from '../../../api/account/keys.js';
import { operations } from '../../../api/operations.js';
import { ask, unknownIds, pathWith } from '../one-of-each.js';
import { here } from '../support.js';

const refused: Record<string, string | null> = {};

beforeAll(async () => {
  const { database, deps, me } = here();
  const other = await createKey(database.db, deps.secretBox, me.account.id, 'Deactivated');
  await deactivateKey(database.db, other.key.id);
  Object.assign(refused, {
    'no token': null,
    'an empty token': '',
    'a Bearer prefix': `Bearer ${me.token}`,
    'a token that is none': 'no.token.atall',
    'an expired token': await issueToken(database.db, deps.secretBox, me.key.id, { ttlSeconds: -1 }),
    'a deactivated key': other.token,
  });
});

// shows: auth.raw, auth.every-operation, auth.error, errors.unauthorized, everywhere.401-shape, token.expired
// shows: token.deactivated
test.each(operations.map((operation) => [`${operation.method} ${operation.url}`, operation] as const))(
  '%s is 401 with {error} without a token, with Bearer, and with one that does not count',
  async (_name, operation) => {
    const path = pathWith(operation.url, unknownIds());
    for (const [what, token] of Object.entries(refused)) {
      const response = await ask(operation, path, { token });
      expect([what, response.status, response.body]).toEqual([what, 401, { error: expect.any(String) as unknown }]);
      expect(response.headers['x-request-id']).toBeDefined();
    }
  },
);
