import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { aTool } from './support.js';

describe('200', () => {
  const list = async (query: string, token: string) => {
    const { body } = await api.get(`/v1/tools${query}`, { token });
    const { pageInfo, data } = body as { pageInfo: object; data: { name: string }[] };
    return { pageInfo, names: data.map(({ name }) => name) };
  };

  // shows: tools.list
  test('tools are listed newest first, page by page, and a page past the end is empty', async () => {
    const { token } = await anAccount();
    const empty = { currentPage: 1, perPage: 20, lastPage: 1, total: 0 };
    expect(await list('', token)).toEqual({ pageInfo: empty, names: [] });
    for (const name of ['one', 'two', 'three']) await aTool({ name }, { token });

    expect((await list('', token)).names).toEqual(['three', 'two', 'one']);
    const pageInfo = { currentPage: 2, perPage: 2, lastPage: 2, total: 3 };
    expect(await list('?page=2&perPage=2', token)).toEqual({ pageInfo, names: ['one'] });
    expect((await list('?page=3&perPage=2', token)).names).toEqual([]);
  });

  test('search finds a part of the name or the description, whatever its case, and nothing stands for anything else', async () => {
    const { token } = await anAccount();
    await aTool({ name: 'look_up', description: 'Finds orders.' }, { token });
    await aTool({ name: 'cancel', description: 'Cancels 100% of it.' }, { token });
    expect((await list('?search=LOOK', token)).names).toEqual(['look_up']);
    expect((await list('?search=orders', token)).names).toEqual(['look_up']);
    expect((await list('?search=100%25', token)).names).toEqual(['cancel']);
    expect((await list('?search=%25', token)).names).toEqual(['cancel']);
  });
});
