import { describe, expect, test } from 'vitest';
import { aKey, keysNow } from '../account/support.js';
import { anAccount, anotherApp, api } from '../support.js';

describe('200', () => {
  // shows: account.keys
  test('keys are there newest first, deleted ones too, and none of another account', async () => {
    const { token, key } = await anAccount();
    const second = await aKey({ name: 'Second', permissions: ['read'] }, { token });
    const third = await aKey({ name: 'Third' }, { token });
    await api.delete(`/v1/account/keys/${third.keyId}`, { token });

    const response = await api.get('/v1/account/keys', { token });

    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 3 },
      data: [
        { keyId: third.keyId, name: 'Third', active: false, createdAt: at },
        { keyId: second.keyId, name: 'Second', active: true, createdAt: at, permissions: ['read'] },
        { keyId: key.id, name: 'First key', active: true, createdAt: at },
      ],
    });
  });

  test('they can be asked for by whether they work, and page by page', async () => {
    const { token, key } = await anAccount();
    const second = await aKey({}, { token });
    await api.delete(`/v1/account/keys/${second.keyId}`, { token });
    const ids = async (query: string) =>
      ((await api.get(`/v1/account/keys?${query}`, { token })).body as { data: { keyId: string }[] }).data.map(
        ({ keyId }) => keyId,
      );

    expect(await ids('active=true')).toEqual([key.id]);
    expect(await ids('active=false')).toEqual([second.keyId]);
    expect(await ids('perPage=1&page=2')).toEqual([key.id]);
    expect(await ids('perPage=1&page=3')).toEqual([]);
  });

  // shows: account.keys
  test('when a key was last used is told', async () => {
    const { token, key } = await anAccount();
    const app = await anotherApp({ clock: () => new Date('2031-01-01T00:00:00Z') });
    await api.get('/v1/account', { token, app });
    await app.close();
    expect(await keysNow({ token })).toMatchObject([{ keyId: key.id, lastUsedAt: '2031-01-01T00:00:00.000Z' }]);
  });
});

describe('400', () => {
  test.each(['active=yes', 'perPage=101', 'page=0'])('%s is refused by its name', async (query) => {
    const response = await api.get(`/v1/account/keys?${query}`);
    const [name] = query.split('=');
    expect(response).toMatchObject({ status: 400, body: { errors: [expect.stringMatching(`^${name!}: `)] } });
  });
});
