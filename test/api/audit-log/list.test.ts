import { describe, expect, test } from 'vitest';
import { aKey } from '../account/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';

describe('200', () => {
  interface Entry {
    readonly id: string;
    readonly action: string;
    readonly target: string;
  }

  const entries = async (token: string, query = '') => {
    const response = await api.get(`/v1/account/audit-log?${query}`, { token });
    expect(response.status).toBe(200);
    return (response.body as { data: Entry[] }).data;
  };

  async function anEntry(
    accountId: string,
    action: string,
    change: { target?: string; keyId?: string; at?: string } = {},
  ) {
    const { target = 'x', keyId = null, at = new Date().toISOString() } = change;
    await rowsOf('insert into audit_log (account_id, key_id, action, target, at) values ($1, $2, $3, $4, $5)', [
      ...[accountId, keyId, action, target, at],
    ]);
  }

  // shows: account.audit
  test('who did what to what, when and from where, newest first, and nothing of another account', async () => {
    const { token, key } = await anAccount();
    const made = await aKey({ name: 'CI' }, { token });
    await api.delete(`/v1/account/keys/${made.keyId}`, { token });

    const response = await api.get('/v1/account/audit-log', { token });

    const common = {
      id: expect.stringMatching(/^\d+$/) as unknown,
      keyId: key.id,
      target: made.keyId,
      address: '127.0.0.1',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    };
    expect(response.body).toEqual({
      pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 2 },
      data: [
        { ...common, action: 'key.delete', details: {} },
        { ...common, action: 'key.create', details: { name: 'CI' } },
      ],
    });
  });

  test('what is asked for by action, resource, target, key and time is found, and no more', async () => {
    const { token, account } = await anAccount();
    const { id } = account;
    await anEntry(id, 'batch-call.create', { target: 'batch_1', keyId: 'key_a', at: '2031-01-01T00:00:00Z' });
    await anEntry(id, 'batch-call.cancel', { target: 'batch_1', keyId: 'key_b', at: '2031-01-02T00:00:00Z' });
    await anEntry(id, 'agent.deploy', { target: 'agt_1', keyId: 'key_a', at: '2031-01-03T00:00:00Z' });
    await anEntry(id, 'agents-and-more.x', { target: 'agt_2', at: '2031-01-04T00:00:00Z' });
    const actions = async (query: string) => (await entries(token, query)).map(({ action }) => action);

    expect(await actions('action=batch-call')).toEqual(['batch-call.cancel', 'batch-call.create']);
    expect(await actions('action=agent')).toEqual(['agent.deploy']);
    expect(await actions('action=agent.deploy,batch-call.create')).toEqual(['agent.deploy', 'batch-call.create']);
    expect(await actions('action=agent&action=batch-call.cancel')).toEqual(['agent.deploy', 'batch-call.cancel']);
    expect(await actions('action=%25')).toEqual([]);
    expect(await actions('target=batch_1')).toEqual(['batch-call.cancel', 'batch-call.create']);
    expect(await actions('keyId=key_a')).toEqual(['agent.deploy', 'batch-call.create']);
    expect(await actions('keyId=key_a&target=agt_1')).toEqual(['agent.deploy']);
    const [second, third] = [Date.parse('2031-01-02T00:00:00Z'), Date.parse('2031-01-03T00:00:00Z')];
    expect(await actions(`startDate=${second}&endDate=${third}`)).toEqual(['agent.deploy', 'batch-call.cancel']);
    expect(await actions(`endDate=${second - 1}`)).toEqual(['batch-call.create']);
  });

  test('up to the instant that an entry shows, that entry is among those found', async () => {
    const { token, account } = await anAccount();
    await anEntry(account.id, 'agent.deploy', { at: '2031-01-01T00:00:00.123987Z' });
    const shown = Date.parse('2031-01-01T00:00:00.123Z');
    expect(await entries(token, `startDate=${shown}&endDate=${shown}`)).toHaveLength(1);
    expect(await entries(token, `endDate=${shown - 1}`)).toEqual([]);
  });

  test('what the service did by itself has no key', async () => {
    const { token, account } = await anAccount();
    await anEntry(account.id, 'retention.delete', { target: 'batch_1' });
    const [entry] = await entries(token);
    expect(Object.keys(entry!).sort()).toEqual(['action', 'createdAt', 'details', 'id', 'target']);
  });

  test('pages are cut as asked', async () => {
    const { token, account } = await anAccount();
    for (const action of ['a.1', 'a.2', 'a.3']) await anEntry(account.id, action);
    expect((await entries(token, 'perPage=2&page=2')).map(({ action }) => action)).toEqual(['a.1']);
    expect(await entries(token, 'perPage=2&page=3')).toEqual([]);
  });
});

describe('400', () => {
  test.each(['startDate=yesterday', 'endDate=-1', 'perPage=0', 'page=x', 'target=a&target=b'])(
    '%s is refused by its name',
    async (query) => {
      const response = await api.get(`/v1/account/audit-log?${query}`);
      const [name] = query.split('=');
      expect(response).toMatchObject({ status: 400, body: { errors: [expect.stringMatching(`^${name!}: `)] } });
    },
  );
});
