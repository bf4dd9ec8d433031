import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../support-resources.js';
import { anAccount, api, type RequestOptions } from '../../support.js';
import { aBatchOf } from '../support-records.js';
import { aBatch, aRoute } from '../support.js';

describe('200', () => {
  interface Page {
    readonly pageInfo: {
      readonly currentPage: number;
      readonly perPage: number;
      readonly lastPage: number;
      readonly total: number;
    };
    readonly data: readonly { readonly batchId: string; readonly batchName: string; readonly status: string }[];
  }

  const list = async (query = '', options: RequestOptions = {}) => {
    const { status, body, text } = await api.get(`/v1/batch-calls${query}`, options);
    if (status !== 200) throw new Error(text);
    return body as Page;
  };

  const names = async (query: string, options?: RequestOptions) =>
    (await list(query, options)).data.map(({ batchName }) => batchName);

  let dialedFrom = '';

  beforeAll(async () => {
    const route = await aRoute();
    dialedFrom = route.phoneNumber;
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    await aBatch({ name: 'First', status: 'completed', createdAt: at(1), counts: { answered: 2 }, route });
    await aBatch({ name: 'Second 100%', status: 'running', createdAt: at(2), counts: { answered: 1, pending: 2 } });
    await aBatch({ name: 'Third', description: 'ÜBER all', status: 'parsing', createdAt: at(3) });
    await aBatch({ name: 'Fourth_x', status: 'cancelled', createdAt: at(4), counts: { cancelled: 1 } });
    const { account } = await anAccount();
    await aBatch({ name: 'Not mine', accountId: account.id, createdAt: at(5) });
  });

  // shows: batches.list
  test('newest first, with progress, and only those of the account', async () => {
    const page = await list();
    expect(page.pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 4 });
    expect(page.data.map(({ batchName }) => batchName)).toEqual(['Fourth_x', 'Third', 'Second 100%', 'First']);
    expect(page.data).toMatchObject([{ progress: 100 }, { progress: 0 }, { progress: 33 }, { progress: 100 }]);
    expect(Object.keys(page.data[0] ?? {}).sort()).toEqual(
      [
        'batchId',
        'batchName',
        'phoneNumberId',
        'phoneNumber',
        'routingRuleId',
        'simulated',
        'startsAt',
        'status',
        'timing',
        'timezone',
        'retry',
        'recordsUploaded',
        'parseError',
        'file',
        'timestamp',
        'createdAt',
        'updatedAt',
        'progress',
        'counts',
        'paused',
        'waiting',
        'waitingFor',
      ].sort(),
    );
  });

  describe('filters', () => {
    // shows: batches.list
    test.each([
      ['status', '?status=completed', ['First']],
      ['several statuses', '?status=completed,%20cancelled', ['Fourth_x', 'First']],
      ['a repeated status', '?status=completed&status=parsing', ['Third', 'First']],
      ['an empty status is no filter', '?status=', ['Fourth_x', 'Third', 'Second 100%', 'First']],
      ['the name in any casing', '?search=fIR', ['First']],
      ['the description', '?search=%C3%BCber', ['Third']],
      ['a percent sign means itself', '?search=%25', ['Second 100%']],
      ['an underscore means itself', '?search=h_x', ['Fourth_x']],
      ['from an instant on, it included', `?startDate=${Date.UTC(2026, 0, 3)}`, ['Fourth_x', 'Third']],
      ['until an instant, it included', `?endDate=${Date.UTC(2026, 0, 2)}`, ['Second 100%', 'First']],
      ['just after', `?startDate=${Date.UTC(2026, 0, 4) + 1}`, []],
      ['all together', `?status=running,parsing&search=T&startDate=${Date.UTC(2026, 0, 3)}`, ['Third']],
      ['unknown parameters are ignored', '?sort=name', ['Fourth_x', 'Third', 'Second 100%', 'First']],
    ])('%s', async (_what, query, expected) => expect(await names(query)).toEqual(expected));

    test('up to the instant that a batch shows, it is among those found', async () => {
      await rowsOf(`update batches set created_at = created_at + interval '987 microseconds' where name = 'First'`, []);
      expect(await names(`?endDate=${Date.UTC(2026, 0, 1)}`)).toEqual(['First']);
      await rowsOf(`update batches set created_at = created_at - interval '987 microseconds' where name = 'First'`, []);
    });

    test('the number called from, its + as a space too', async () => {
      expect(await names(`?search=${encodeURIComponent(dialedFrom)}`)).toEqual(['First']);
      expect(await names(`?search=${dialedFrom}`)).toEqual(['First']);
    });

    test('the id', async () => {
      const [first] = (await list('?search=First')).data;
      expect(await names(`?search=${first?.batchId ?? ''}`)).toEqual(['First']);
    });
  });

  describe('pages', () => {
    test('hold what they are asked for, and one past the end is empty', async () => {
      expect(await names('?perPage=3&page=2')).toEqual(['First']);
      expect(await list('?perPage=3&page=3')).toEqual({
        pageInfo: { currentPage: 3, perPage: 3, lastPage: 2, total: 4 },
        data: [],
      });
    });

    test('batches of the same instant are in one order on every page: the later id first', async () => {
      const [route, { account, token }] = [await aRoute(), await anAccount()];
      const twin = { accountId: account.id, createdAt: new Date(Date.UTC(2020, 0, 1)), route };
      for (let index = 0; index < 7; index += 1) await aBatch({ ...twin, name: `Twin ${index}` });
      const pages = await Promise.all([1, 2, 3, 4].map((page) => names(`?perPage=2&page=${page}`, { token })));
      expect(pages.flat()).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `Twin ${index}`));
    });

    test('an empty list has one page', async () => {
      expect((await list('?search=nothing-like-it')).pageInfo).toEqual({
        currentPage: 1,
        perPage: 20,
        lastPage: 1,
        total: 0,
      });
    });
  });
});

describe('400', () => {
  test.each([
    ['page', '?page=0'],
    ['page', '?page=x'],
    ['perPage', '?perPage=0'],
    ['perPage', '?perPage=101'],
    ['status', '?status=paused'],
    ['status', '?status=running,nothing'],
    ['startDate', '?startDate=2026-01-01'],
    ['endDate', '?endDate=-1'],
    ['endDate', '?endDate=9999999999999999'],
  ])('%s is refused in %s', async (field, query) => {
    const { status, body } = await api.get(`/v1/batch-calls${query}`);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining(field) } });
  });

  test.each(['?perPage=1', '?perPage=100', '?page=1', '?startDate=0', `?endDate=8640000000000000`])(
    '%s is fine',
    async (query) => {
      expect((await api.get(`/v1/batch-calls${query}`)).status).toBe(200);
    },
  );
});

describe('200: pages', () => {
  let token = '';
  let accountId = '';

  beforeEach(async () => {
    const account = await anAccount();
    ({ token } = account);
    accountId = account.account.id;
  });

  const old = (minutes: number) => new Date(Date.now() - minutes * 60_000);

  /** Pages through a list to its end; `between` happens after each page. */
  async function pageThrough(
    url: string,
    idOf: (item: Record<string, unknown>) => unknown,
    between: () => Promise<unknown>,
  ) {
    const seen: unknown[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await api.get(`${url}page=${page}&perPage=2`, { token });
      const { data, pageInfo } = body as { data: Record<string, unknown>[]; pageInfo: { lastPage: number } };
      seen.push(...data.map(idOf));
      if (page >= pageInfo.lastPage) return seen;
      await between();
    }
  }

  const batchIdOf = ({ batchId }: Record<string, unknown>) => batchId;

  // shows: batches.stable-lists
  test('a client that pages through while batches are created sees all that were there, in order; some perhaps twice', async () => {
    const there: string[] = [];
    for (let minute = 1; minute <= 6; minute += 1)
      there.push((await aBatch({ accountId, createdAt: old(minute) })).batchId);

    const seen = await pageThrough('/v1/batch-calls?', batchIdOf, () => aBatch({ accountId }));

    expect([...new Set(seen)]).toEqual(there);
    expect(seen.length).toBeGreaterThan(there.length);
  });

  test('with endDate at the beginning of the paging each is seen once', async () => {
    const there: string[] = [];
    for (let minute = 1; minute <= 6; minute += 1)
      there.push((await aBatch({ accountId, createdAt: old(minute) })).batchId);

    const url = `/v1/batch-calls?endDate=${old(0.5).getTime()}&`;
    const seen = await pageThrough(url, batchIdOf, () => aBatch({ accountId }));

    expect(seen).toEqual(there);
  });

  test('batches of one instant keep one order from page to page', async () => {
    const createdAt = old(5);
    const there = await Promise.all(
      Array.from({ length: 6 }, async () => (await aBatch({ accountId, createdAt })).batchId),
    );
    const seen = await pageThrough('/v1/batch-calls?', batchIdOf, () => Promise.resolve());
    expect(seen).toEqual(there.toSorted().toReversed());
  });

  // shows: batches.stable-lists
  test('records are seen once each, in the order of the file, while their calls go on', async () => {
    const numbers = Array.from({ length: 7 }, (_unused, place) => `+91987780000${place}`);
    const { batchId } = await aBatchOf(
      numbers.map((phoneNumber) => ({ phoneNumber, status: 'pending' })),
      { accountId, status: 'running' },
    );
    let place = 0;

    const seen = await pageThrough(
      `/v1/batch-calls/${batchId}/records?`,
      ({ phoneNumber }) => phoneNumber,
      () =>
        rowsOf(`update calls set status = 'answered', updated_at = now() where batch_id = $1 and position = $2`, [
          batchId,
          (place += 1),
        ]),
    );

    expect(seen).toEqual(numbers);
  });
});
