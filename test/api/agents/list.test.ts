import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { anAgent, appWithoutTemporal, appWithWorker, minimal } from './support.js';

describe('200', () => {
  interface Page {
    readonly pageInfo: object;
    readonly data: readonly { readonly name: string; readonly agentId: string }[];
  }

  async function list(query: string, token: string): Promise<Page> {
    const { status, body } = await api.get(`/v1/agents?${query}`, { token });
    expect(status).toBe(200);
    return body as Page;
  }

  const namesOf = ({ data }: Page) => data.map(({ name }) => name);

  /** An account with agents of these names, made in this order. */
  async function anAccountWith(...names: readonly string[]): Promise<string> {
    const { token } = await anAccount();
    const app = await appWithoutTemporal();
    for (const name of names) await anAgent({ ...minimal, name }, { token, app });
    return token;
  }

  test('agents are listed newest first, without their configs', async () => {
    const token = await anAccountWith('one', 'two', 'three');

    const page = await list('', token);

    expect(namesOf(page)).toEqual(['three', 'two', 'one']);
    expect(page.pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 3 });
    expect(Object.keys(page.data[0]!).toSorted()).toEqual(['agentId', 'createdAt', 'name', 'status', 'updatedAt']);
  });

  test('pages divide the list without a gap or an overlap, and a page past the end is empty', async () => {
    const token = await anAccountWith('1', '2', '3', '4', '5');

    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`perPage=2&page=${page}`, token)));

    expect(pages.map(namesOf)).toEqual([['5', '4'], ['3', '2'], ['1'], []]);
    expect(pages.map(({ pageInfo }) => pageInfo)).toEqual(
      [1, 2, 3, 4].map((currentPage) => ({ currentPage, perPage: 2, lastPage: 3, total: 5 })),
    );
  });

  test('an account without agents has one empty page', async () => {
    const { token } = await anAccount();
    expect(await list('', token)).toEqual({
      pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 0 },
      data: [],
    });
  });

  // shows: agents.list
  test('search finds part of a name in any casing, and takes %, _ and \\ as they are', async () => {
    const token = await anAccountWith('Dentist reminder', 'Sales', '100% off_er', 'back\\slash');

    expect(namesOf(await list('search=REMIND', token))).toEqual(['Dentist reminder']);
    expect(namesOf(await list('search=%25', token))).toEqual(['100% off_er']);
    expect(namesOf(await list('search=_', token))).toEqual(['100% off_er']);
    expect(namesOf(await list('search=%5C', token))).toEqual(['back\\slash']);
    expect((await list('search=s&perPage=1', token)).pageInfo).toMatchObject({ total: 3 });
    expect(namesOf(await list('search=', token))).toHaveLength(4);
  });

  // shows: agents.list
  test('the status filter tells active agents from inactive ones', async () => {
    const token = await anAccountWith('asleep');
    const app = await appWithWorker();
    await api.post('/v1/agents', { ...minimal, name: 'awake' }, { token, app });
    // The worker deploys whatever waits, the first agent too.
    await expect.poll(async () => namesOf(await list('status=active', token))).toEqual(['awake', 'asleep']);
    await anAgent({ ...minimal, name: 'new' }, { token });

    expect(namesOf(await list('status=inactive', token))).toEqual(['new']);
    expect((await list('status=active', token)).data[0]).toHaveProperty('deploymentId');
  });

  test('no account sees the agents of another', async () => {
    const token = await anAccountWith('mine');
    expect(namesOf(await list('', await anAccountWith('theirs')))).toEqual(['theirs']);
    expect(namesOf(await list('', token))).toEqual(['mine']);
  });
});

describe('400', () => {
  test.each(['page=0', 'page=1.5', 'page=x', 'perPage=0', 'perPage=101', 'status=sleeping', 'search=%00'])(
    '?%s is refused with words',
    async (query) => {
      const { status, body } = await api.get(`/v1/agents?${query}`);
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringContaining(query.split('=')[0]!) });
    },
  );

  test('an unknown parameter is ignored', async () => {
    expect(await api.get('/v1/agents?colour=red')).toMatchObject({ status: 200 });
  });
});
