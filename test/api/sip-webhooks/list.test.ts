import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { aSipWebhook } from './support.js';

describe('200', () => {
  interface Page {
    readonly pageInfo: object;
    readonly data: { id: string }[];
  }

  // shows: sip-webhooks.crud
  test('an account’s webhooks come newest first, in pages; another’s are not among them', async () => {
    const { token } = await anAccount();
    const get = async (query: string) => (await api.get(`/v2/sip/webhooks${query}`, { token })).body as Page;
    expect(await get('')).toEqual({ pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 0 }, data: [] });
    await aSipWebhook();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift(await aSipWebhook({}, { token }));
    const pages = [await get('?perPage=2'), await get('?perPage=2&page=2'), await get('?perPage=2&page=3')];
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2), []]);
    expect(pages[0]?.pageInfo).toEqual({ currentPage: 1, perPage: 2, lastPage: 2, total: 3 });
  });
});
