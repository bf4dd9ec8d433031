import { describe, expect, test } from 'vitest';
import { aFolder } from '../knowledge-base-folders/support.js';
import { anAccount, api } from '../support.js';
import { aKnowledgeBase } from './support.js';

describe('200', () => {
  const list = async (query: string, token: string) => {
    const { body } = await api.get(`/v1/knowledge-bases${query}`, { token });
    const { pageInfo, data } = body as { pageInfo: object; data: { name: string }[] };
    return { pageInfo, names: data.map(({ name }) => name) };
  };

  test('they are listed newest first, page by page, and a page past the end is empty', async () => {
    const { token } = await anAccount();
    const empty = { currentPage: 1, perPage: 20, lastPage: 1, total: 0 };
    expect(await list('', token)).toEqual({ pageInfo: empty, names: [] });
    for (const name of ['one', 'two', 'three']) await aKnowledgeBase({ name }, { token });

    expect((await list('', token)).names).toEqual(['three', 'two', 'one']);
    const pageInfo = { currentPage: 2, perPage: 2, lastPage: 2, total: 3 };
    expect(await list('?page=2&perPage=2', token)).toEqual({ pageInfo, names: ['one'] });
    expect((await list('?page=3&perPage=2', token)).names).toEqual([]);
  });

  // shows: knowledge.list
  test('search and folder narrow the list; root stands for no folder', async () => {
    const { token } = await anAccount();
    const { folderId } = await aFolder({}, { token });
    await aKnowledgeBase({ name: 'Returns', folderId }, { token });
    await aKnowledgeBase({ name: 'Refunds_2' }, { token });
    await aKnowledgeBase({ name: 'Hours' }, { token });

    expect((await list('?search=RE', token)).names).toEqual(['Refunds_2', 'Returns']);
    expect((await list('?search=s_', token)).names).toEqual(['Refunds_2']);
    expect((await list(`?folderId=${folderId}`, token)).names).toEqual(['Returns']);
    expect((await list('?folderId=root', token)).names).toEqual(['Hours', 'Refunds_2']);
    expect((await list('?folderId=kbf_unknown', token)).names).toEqual([]);
    expect((await list(`?folderId=${folderId}&search=hours`, token)).names).toEqual([]);
  });
});
