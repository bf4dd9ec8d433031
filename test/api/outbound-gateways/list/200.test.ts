import { beforeAll, expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aGateway, aNumber, aRegisteredNumber } from '../../support-resources.js';

interface Page {
  readonly pageInfo: object;
  readonly data: readonly { readonly name: string }[];
}
const list = async (query = '', token?: string): Promise<Page> => {
  const response = await api.get(`/v2/sip/outbound-gateways${query}`, token === undefined ? {} : { token });
  expect(response.status).toBe(200);
  return response.body as Page;
};
const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name);

const number = aNumber();
let first: unknown;
beforeAll(async () => {
  first = await aGateway('outbound', { name: '100% Alpha', numbers: [number] });
  await aGateway('outbound', { name: 'beta', address: 'sip.alphabet.example' });
  await aRegisteredNumber({ name: 'Made with a number' });
  const other = await anAccount();
  await aGateway('outbound', { name: 'Theirs' }, { token: other.token });
});

test('gateways of this direction come newest first, those made with numbers among them, only one’s own', async () => {
  const page = await list();
  expect(page.pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 3 });
  expect(page.data.map(({ name }) => name)).toEqual(['Made with a number', 'beta', '100% Alpha']);
  expect(page.data[2]).toEqual(first);
});

test.each([
  ['ALPHA', ['beta', '100% Alpha']],
  ['%', ['100% Alpha']],
  ['_', []],
  [number.slice(3), ['100% Alpha']],
])('search %s looks at name, address and numbers, each character for itself', async (search, names) => {
  expect(await namesOf(`?search=${encodeURIComponent(search)}`)).toEqual(names);
});

test('pages do not overlap, and one past the end is empty', async () => {
  expect(await namesOf('?perPage=2&page=1')).toEqual(['Made with a number', 'beta']);
  expect(await namesOf('?perPage=2&page=2')).toEqual(['100% Alpha']);
  expect(await namesOf('?perPage=2&page=3')).toEqual([]);
});
