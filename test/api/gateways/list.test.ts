import { beforeAll, describe, expect, test } from 'vitest';
import { aGateway, aNumber, aRegisteredNumber } from '../support-resources.js';
import { anAccount, api } from '../support.js';
import { directions, pathOf } from './support.js';

describe('200', () => {
  interface Page {
    readonly pageInfo: object;
    readonly data: readonly { readonly name: string }[];
  }

  describe.each(directions)('%s', (direction) => {
    const number = aNumber();
    const list = async (query = ''): Promise<Page> => {
      const response = await api.get(`${pathOf(direction)}${query}`, { token });
      expect(response.status).toBe(200);
      return response.body as Page;
    };
    const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name);

    let [token, first]: [string, unknown] = ['', undefined];
    beforeAll(async () => {
      ({ token } = await anAccount());
      first = await aGateway(direction, { name: '100% Alpha', numbers: [number] }, { token });
      await aGateway(direction, { name: 'beta', address: 'sip.alphabet.example' }, { token });
      await aRegisteredNumber({ name: 'Made with a number' }, { token });
      await aGateway(direction, { name: 'Theirs' });
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
  });
});
