import { beforeAll, describe, expect, test } from 'vitest';
import { anAccount, api, type RequestOptions } from '../../support.js';
import { aBatch, aRoute } from '../support.js';

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
test('newest first, with progress, and nobody else’s', async () => {
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
    expect((await list('?search=nobody')).pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 0 });
  });
});
