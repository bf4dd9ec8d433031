import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { errorSchema } from '../../../api/plugins/errors.js';
import { referenced, routesOf, served, type Route } from '../openapi/document.js';
import { oneOfEach, pathWith, type PathValues } from '../one-of-each.js';
import { anAccount, api } from '../support.js';

interface Page {
  readonly pageInfo: { currentPage: number; perPage: number; lastPage: number; total: number };
  readonly data: readonly unknown[];
}

let mine: PathValues = {};
let lists: Route[] = [];

beforeAll(async () => {
  await oneOfEach();
  mine = await oneOfEach();
  lists = routesOf(await served()).filter(({ method, parameters = [] }) =>
    method === 'GET' ? ['page', 'perPage'].every((name) => parameters.some((one) => one.name === name)) : false,
  );
});

const urlOf = ({ path }: Route, values = mine): string => pathWith(path.replace(/\{(\w+)\}/g, ':$1'), values);
const pageOf = async (url: string, token?: string): Promise<Page> => {
  const response = await api.get(url, token === undefined ? {} : { token });
  if (response.status !== 200) throw new Error(`${url}: ${response.text}`);
  return response.body as Page;
};

/** What lists do otherwise than they should, one line each. */
async function failing(check: (list: Route, url: string) => Promise<readonly string[]>): Promise<string[]> {
  const lines: string[] = [];
  for (const list of lists) lines.push(...(await check(list, urlOf(list))).map((words) => `${list.name}: ${words}`));
  return lines;
}

// shows: paging.everywhere
test('every operation that answers a list takes page and perPage', async () => {
  const document = await served();
  const answersList = routesOf(document).filter(({ responses }) => {
    const schema = responses['200']?.content?.['application/json']?.schema ?? {};
    return JSON.stringify(referenced(schema, document).properties ?? {}).startsWith('{"pageInfo"');
  });
  expect(lists.map(({ name }) => name)).toEqual(answersList.map(({ name }) => name));
  expect(lists.length).toBeGreaterThan(5);
});

// shows: everywhere.error-families, paging.out-of-range
test.each([
  ['page', ['0', '-1', '1.5', '', 'abc', '1e3', '99999999999999999999', '%00', '1&page=2']],
  ['perPage', ['0', '-1', '101', '1.5', '', 'abc', '1000', '20&perPage=30']],
])('a %s that is out of range is 400 that names it, in the shape of the family', async (parameter, values) => {
  const wrong = await failing(async ({ method, path }, url) => {
    const operation = operations.find((one) => one.method === method && one.url === path.replace(/\{(\w+)\}/g, ':$1'));
    const lines: string[] = [];
    for (const value of values) {
      const response = await api.get(`${url}?${parameter}=${value}`);
      const shaped = errorSchema(operation?.family ?? 'account', 400).safeParse(response.body).success;
      if (response.status !== 400 || !shaped || !response.text.includes(parameter))
        lines.push(`${value}: ${response.text}`);
    }
    return lines;
  });
  expect(wrong).toEqual([]);
});

test('a search for what no text holds is 400 that names it', async () => {
  const searched = lists.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'search'));
  const wrong: string[] = [];
  for (const list of searched) {
    const { status, text } = await api.get(`${urlOf(list)}?search=%00`);
    if (status !== 400 || !text.includes('search: ')) wrong.push(`${list.name}: ${text}`);
  }
  expect(wrong).toEqual([]);
  expect(searched.length).toBeGreaterThan(5);
});

// shows: paging.range
test('perPage from 1 to 100 is taken, and said in the answer', async () => {
  const wrong = await failing(async (_list, url) => {
    const lines: string[] = [];
    for (const perPage of [1, 99, 100]) {
      const { pageInfo, data } = await pageOf(`${url}?perPage=${perPage}`);
      if (pageInfo.perPage !== perPage || data.length !== Math.min(perPage, pageInfo.total))
        lines.push(String(perPage));
    }
    return lines;
  });
  expect(wrong).toEqual([]);
});

// shows: rules.page-info, paging.defaults
test('left out, page is 1 and perPage 20', async () => {
  const wrong = await failing(async (_list, url) => {
    const { pageInfo } = await pageOf(url);
    return pageInfo.currentPage === 1 && pageInfo.perPage === 20 ? [] : [JSON.stringify(pageInfo)];
  });
  expect(wrong).toEqual([]);
});

// shows: paging.past-end
test('a page past the end is empty and tells where the end is', async () => {
  const wrong = await failing(async (_list, url) => {
    const { pageInfo } = await pageOf(url);
    const past = await pageOf(`${url}?page=${pageInfo.lastPage + 1}`);
    const far = await pageOf(`${url}?page=1000000000&perPage=100`);
    return [past, far].every(({ data, pageInfo: { total } }) => data.length === 0 && total === pageInfo.total)
      ? []
      : [JSON.stringify([past, far])];
  });
  expect(wrong).toEqual([]);
});

// shows: paging.whole
test('pages of one item are the list itself, in its order', async () => {
  const wrong = await failing(async (_list, url) => {
    const { pageInfo, data } = await pageOf(`${url}?perPage=100`);
    const items: unknown[] = [];
    for (let page = 1; page <= Math.min(3, pageInfo.total); page += 1) {
      const one = await pageOf(`${url}?perPage=1&page=${page}`);
      if (one.pageInfo.lastPage !== pageInfo.total) return [`lastPage ${one.pageInfo.lastPage} of ${pageInfo.total}`];
      items.push(...one.data);
    }
    return JSON.stringify(items) === JSON.stringify(data.slice(0, items.length)) ? [] : ['another order'];
  });
  expect(wrong).toEqual([]);
});

// shows: paging.empty
test('an empty list has one page', async () => {
  const { token } = await anAccount('Empty');
  const wrong: string[] = [];
  for (const list of lists.filter(({ path }) => !path.includes('{'))) {
    const { pageInfo, data } = await pageOf(urlOf(list), token);
    if (pageInfo.total === 0 && (pageInfo.lastPage !== 1 || data.length > 0)) wrong.push(list.name);
  }
  expect(wrong).toEqual([]);
});

// shows: everywhere.query-unknown
test('unknown query parameters are ignored', async () => {
  const wrong = await failing(async (_list, url) =>
    JSON.stringify(await pageOf(url)) === JSON.stringify(await pageOf(`${url}?colour=blue&Page=0&per_page=x`))
      ? []
      : ['another answer'],
  );
  expect(wrong).toEqual([]);
});

/** When an item was made, wherever it says so. */
function createdAt(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const own = Object.entries(item).find(([name]) => name === 'createdAt')?.[1] as unknown;
  if (typeof own === 'string') return own;
  return Object.values(item)
    .map(createdAt)
    .find((found) => found !== undefined);
}

// shows: paging.newest-first
test('lists are newest first, but for rows in the order of their file', async () => {
  const wrong = await failing(async ({ description }, url) => {
    if ((description ?? '').includes('order of the file')) return [];
    const times = (await pageOf(`${url}?perPage=100`)).data.flatMap((item) => createdAt(item) ?? []);
    return JSON.stringify(times) === JSON.stringify(times.toSorted().toReversed()) ? [] : [times.join(' ')];
  });
  expect(wrong).toEqual([]);
});
