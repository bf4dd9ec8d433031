import { beforeAll, describe, expect, test } from 'vitest';
import { aNumber, aRegisteredNumber, rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';

describe('200', () => {
  interface Page {
    pageInfo: { currentPage: number; perPage: number; lastPage: number; total: number };
    data: { phoneNumber: { e164: string; name: string }; inbound: object | null; outbound: object | null }[];
  }

  const list = async (query = '', token?: string) => {
    const response = await api.get(`/v2/sip/phone-numbers${query}`, token === undefined ? {} : { token });
    expect(response.status).toBe(200);
    return response.body as Page;
  };

  const made: string[] = [];

  beforeAll(async () => {
    for (const name of ['Reminders', '100% Sales_team', 'sales']) {
      const phoneNumbers = [aNumber()];
      await aRegisteredNumber({ name, phoneNumbers });
      made.push(...phoneNumbers);
    }
  });

  // shows: numbers.list
  test('numbers come newest first, with their gateways', async () => {
    const page = await list();
    expect(page.pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 3 });
    expect(page.data.map(({ phoneNumber }) => phoneNumber.e164)).toEqual([...made].reverse());
    expect(page.data[0]).toMatchObject({ inbound: { numbers: [made[2]] }, outbound: { numbers: [made[2]] } });
  });

  // shows: numbers.list
  test('a number without gateways says null for both', async () => {
    const e164 = aNumber();
    const { token } = await anAccount();
    await aRegisteredNumber({ phoneNumbers: [e164] }, { token });
    await rowsOf('delete from number_gateways where e164 = $1', [e164]);
    expect((await list('', token)).data[0]).toMatchObject({ inbound: null, outbound: null });
  });

  // shows: numbers.list
  test.each([
    ['SALES', ['sales', '100% Sales_team']],
    ['%', ['100% Sales_team']],
    ['s_t', ['100% Sales_team']],
    ['\\', []],
    ['nothing like it', []],
  ])('search %s finds what has it in its name, each character for itself', async (search, names) => {
    const page = await list(`?search=${encodeURIComponent(search)}`);
    expect(page.data.map(({ phoneNumber }) => phoneNumber.name)).toEqual(names);
  });

  test('search finds a part of the number', async () => {
    const page = await list(`?search=${encodeURIComponent(made[1]!.slice(3))}`);
    expect(page.data.map(({ phoneNumber }) => phoneNumber.e164)).toEqual([made[1]]);
  });

  test('pages do not overlap, and one past the end is empty', async () => {
    const pages = await Promise.all(['1', '2', '3'].map((page) => list(`?perPage=2&page=${page}`)));
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1, 0]);
    expect(pages[2]?.pageInfo).toEqual({ currentPage: 3, perPage: 2, lastPage: 2, total: 3 });
  });

  test('an account without numbers has one empty page', async () => {
    const { token } = await anAccount();
    expect(await list('?unknown=ignored', token)).toEqual({
      pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 0 },
      data: [],
    });
  });
});
