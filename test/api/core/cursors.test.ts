import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { errorSchema } from '../../../api/plugins/errors.js';
import { aCall } from '../calls/support.js';
import { oneOfEach, pathWith, type PathValues } from '../one-of-each.js';
import { routesOf, served, type Route } from '../openapi/document.js';
import { anAccount, api } from '../support.js';
import { aNumber, rowsOf } from '../support-resources.js';

interface Page {
  readonly pageInfo: { currentPage: number; lastPage: number; total: number; nextCursor?: string };
  readonly data: readonly object[];
}

const doNotCall = '/v1/do-not-call';
const calls = '/v2/sip/call';
let mine: PathValues = {};
let lists: Route[] = [];

beforeAll(async () => {
  mine = await oneOfEach();
  for (let count = 0; count < 5; count++) await aCall();
  await api.post(doNotCall, { phoneNumbers: [aNumber(), aNumber(), aNumber()], reason: 'Together' });
  await api.post(doNotCall, { phoneNumbers: [aNumber()], reason: 'Later' });
  lists = routesOf(await served()).filter(({ method, parameters = [] }) =>
    method === 'GET' ? parameters.some(({ name }) => name === 'cursor') : false,
  );
});

const urlOf = ({ path }: Route): string => pathWith(path.replace(/\{(\w+)\}/g, ':$1'), mine);

async function pageAt(url: string, cursor: string, perPage = 1): Promise<Page> {
  const response = await api.get(`${url}?cursor=${cursor}&perPage=${perPage}`);
  if (response.status !== 200) throw new Error(`${url}: ${response.text}`);
  return response.body as Page;
}

/** Every item, as a client finds them that follows the cursors. */
async function walked(url: string, between: (page: Page) => Promise<unknown> = () => Promise.resolve()) {
  const pages: Page[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: Page = await pageAt(url, cursor);
    pages.push(page);
    cursor = page.pageInfo.nextCursor;
    await between(page);
  }
  return { pages, items: pages.flatMap(({ data }) => data) };
}

async function aCursorOf(url: string): Promise<string> {
  const { pageInfo } = await pageAt(url, '');
  if (pageInfo.nextCursor === undefined) throw new Error(`${url} has a single page.`);
  return pageInfo.nextCursor;
}

test('every list that grows with the years takes a cursor', () => {
  expect(lists.map(({ path }) => path).toSorted()).toEqual([
    '/v1/account/audit-log',
    '/v1/batch-calls',
    '/v1/batch-calls/{batchId}/corrected-rows',
    '/v1/batch-calls/{batchId}/records',
    '/v1/batch-calls/{batchId}/rejected-rows',
    '/v1/batch-calls/{batchId}/webhook-deliveries',
    '/v1/do-not-call',
    '/v2/sip/call',
  ]);
});

test('a client that follows the cursors of a list finds each item once, in its order, and the numbers of the pages', async () => {
  let longest = 0;
  for (const list of lists) {
    const url = urlOf(list);
    const { data, pageInfo } = (await api.get(`${url}?perPage=100`)).body as Page;
    const { items, pages } = await walked(url);
    expect(items, url).toEqual(data);
    expect(pageInfo, url).not.toHaveProperty('nextCursor');
    expect(
      pages.map(({ pageInfo: { currentPage } }) => currentPage),
      url,
    ).toEqual(pages.map((_page, index) => index + 1));
    expect(pages.at(-1)?.pageInfo, url).toMatchObject({ total: data.length });
    longest = Math.max(longest, items.length);
  }
  expect(longest).toBeGreaterThan(4);
});

test('what is added while a list is walked moves nothing from page to page, and what is removed leaves the rest', async () => {
  for (const [url, add] of [
    [doNotCall, () => api.post(doNotCall, { phoneNumbers: [aNumber()] })],
    [calls, () => aCall()],
  ] as const) {
    const { data } = (await api.get(`${url}?perPage=100`)).body as Page;
    const { items } = await walked(url, add);
    expect(items).toEqual(data);
  }
  const { data } = (await api.get(`${doNotCall}?perPage=100`)).body as Page;
  const { items } = await walked(doNotCall, async (page) => {
    const [shown] = page.data as [{ phoneNumber: string }];
    await rowsOf('delete from do_not_call where e164 = $1', [shown.phoneNumber]);
  });
  expect(items).toEqual(data);
});

test('entries of one instant are told apart by more than the milliseconds that are shown', async () => {
  const numbers = [aNumber(), aNumber(), aNumber()];
  await api.post(doNotCall, { phoneNumbers: numbers });
  for (const [index, number] of numbers.entries()) {
    await rowsOf(
      `update do_not_call set created_at = timestamptz '2030-01-01 00:00:00.0001' + $2 * interval '1 microsecond' where e164 = $1`,
      [number, index],
    );
  }
  const { items } = await walked(doNotCall);
  expect(items.slice(0, 3)).toMatchObject(numbers.toReversed().map((phoneNumber) => ({ phoneNumber })));
});

test.each([
  ['nothing of a cursor', () => 'abc'],
  ['JSON of another kind', () => Buffer.from('{"place":[]}').toString('base64url')],
  ['a cursor that was cut off', async () => (await aCursorOf(calls)).slice(0, -9)],
  [
    'a cursor with another place',
    async () => {
      const [seal = '', carried = ''] = JSON.parse(
        Buffer.from(await aCursorOf(calls), 'base64url').toString(),
      ) as string[];
      return Buffer.from(JSON.stringify([seal, carried.replace(/\d/, '9')])).toString('base64url');
    },
  ],
  ['the cursor of another list', () => aCursorOf(doNotCall)],
  ['a cursor together with a page', async () => `${await aCursorOf(calls)}&page=2`],
  ['a cursor with other filters', async () => `${await aCursorOf(calls)}&status=ended`],
])('%s is 400 that names the cursor, in the shape of the family', async (_what, cursor) => {
  const response = await api.get(`${calls}?cursor=${await cursor()}`);
  expect(response.status).toBe(400);
  expect(response.text).toContain('cursor');
  const operation = operations.find(({ name }) => name === 'calls.list');
  expect(errorSchema(operation?.family ?? 'account', 400).safeParse(response.body).success).toBe(true);
});

test('the cursor of one account is refused to another', async () => {
  const { token } = await anAccount();
  const response = await api.get(`${doNotCall}?cursor=${await aCursorOf(doNotCall)}`, { token });
  expect(response.status).toBe(400);
  expect(response.text).toContain('cursor');
});
