import { describe, expect, test } from 'vitest';
import { aNumber } from '../support-resources.js';
import { anAccount, api } from '../support.js';
import { url } from './support.js';

describe('200', () => {
  const list = async (query = '') => (await api.get(`${url}${query}`)).body as { data: object[]; pageInfo: object };

  // shows: dnc.list
  test('newest first, page by page', async () => {
    const numbers = [aNumber(), aNumber(), aNumber()];
    for (const number of numbers) await api.post(url, { phoneNumbers: [number], reason: `For ${number}` });
    const [first, second] = [await list('?perPage=2'), await list('?perPage=2&page=2')];
    expect(first.pageInfo).toEqual({ currentPage: 1, perPage: 2, lastPage: 2, total: 3 });
    expect([...first.data, ...second.data]).toEqual(
      numbers.toReversed().map((phoneNumber) => ({
        phoneNumber,
        reason: `For ${phoneNumber}`,
        createdAt: expect.stringMatching(/Z$/),
      })),
    );
  });

  // shows: dnc.list
  test('a part of the number or of the reason finds an entry; wildcards stand for themselves', async () => {
    const number = aNumber();
    await api.post(url, { phoneNumbers: [number], reason: '100% sure' });
    expect((await list(`?search=${encodeURIComponent(number)}`)).data).toHaveLength(1);
    expect((await list(`?search=${number.slice(4)}`)).data).toHaveLength(1);
    expect((await list('?search=100%25%20SURE')).data).toMatchObject([{ phoneNumber: number }]);
    expect((await list('?search=_00')).data).toEqual([]);
  });

  test('another account sees nothing of it', async () => {
    const { token } = await anAccount();
    expect((await api.get(url, { token })).body).toMatchObject({ data: [], pageInfo: { total: 0, lastPage: 1 } });
  });
});
