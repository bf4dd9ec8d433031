import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { aFolder } from './support.js';

describe('200', () => {
  const list = async (query: string, token: string) => {
    const { body } = await api.get(`/v1/knowledge-base-folders${query}`, { token });
    const { pageInfo, data } = body as { pageInfo: object; data: { name: string }[] };
    return { pageInfo, names: data.map(({ name }) => name) };
  };

  // shows: folders.crud
  test('folders of all levels are listed newest first, page by page, and a page past the end is empty', async () => {
    const { token } = await anAccount();
    const empty = { currentPage: 1, perPage: 20, lastPage: 1, total: 0 };
    expect(await list('', token)).toEqual({ pageInfo: empty, names: [] });
    const { folderId: parentId } = await aFolder({ name: 'one' }, { token });
    await aFolder({ name: 'two', parentId }, { token });
    await aFolder({ name: 'three' }, { token });

    expect((await list('', token)).names).toEqual(['three', 'two', 'one']);
    const pageInfo = { currentPage: 2, perPage: 2, lastPage: 2, total: 3 };
    expect(await list('?page=2&perPage=2', token)).toEqual({ pageInfo, names: ['one'] });
    expect((await list('?page=3&perPage=2', token)).names).toEqual([]);
    expect((await list(`?parentId=${parentId}`, token)).names).toEqual(['two']);
    expect((await list('?parentId=root', token)).names).toEqual(['three', 'one']);
    expect((await list('?search=T', token)).names).toEqual(['three', 'two']);
  });
});
