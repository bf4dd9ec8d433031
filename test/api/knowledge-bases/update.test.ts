import { describe, expect, test } from 'vitest';
import { aFolder } from '../knowledge-base-folders/support.js';
import { api } from '../support.js';
import { aKnowledgeBase, becomesReady, problemsIn } from './support.js';

describe('200', () => {
  const patch = async (id: string, change: object) => (await api.patch(`/v1/knowledge-bases/${id}`, change)).body;

  // shows: knowledge.patch
  test('it is renamed and moved, each by itself, and null takes it out of its folder', async () => {
    const made = await aKnowledgeBase();
    const { folderId } = await aFolder();
    const changed = { updatedAt: expect.any(String) };

    expect(await patch(made.knowledgeBaseId, { name: 'Refunds' })).toEqual({ ...made, name: 'Refunds', ...changed });
    expect(await patch(made.knowledgeBaseId, { folderId })).toEqual({ ...made, name: 'Refunds', folderId, ...changed });
    expect(await patch(made.knowledgeBaseId, { folderId: null })).toEqual({ ...made, name: 'Refunds', ...changed });
  });

  test('it can be sent back as it was got, changed', async () => {
    const { knowledgeBaseId } = await aKnowledgeBase();
    await becomesReady(knowledgeBaseId);
    const { body } = await api.get(`/v1/knowledge-bases/${knowledgeBaseId}`);
    const response = await api.patch(`/v1/knowledge-bases/${knowledgeBaseId}`, { ...(body as object), name: 'New' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ name: 'New', status: 'ready' });
  });
});

describe('400', () => {
  test.each<[string, object, string]>([
    ['a status', { status: 'ready' }, 'status INVALID_VALUE'],
    ['another id', { knowledgeBaseId: 'kb_other' }, 'knowledgeBaseId INVALID_VALUE'],
    ['a text', { text: 'New' }, 'text UNRECOGNIZED_KEY'],
    ['an unknown folder', { folderId: 'kbf_none' }, 'folderId INVALID_VALUE'],
    ['an empty name', { name: '' }, 'name INVALID_VALUE'],
    ['a name of null', { name: null }, 'name INVALID_TYPE'],
  ])('%s is refused, and nothing changes', async (_what, change, problem) => {
    const made = await aKnowledgeBase();
    const url = `/v1/knowledge-bases/${made.knowledgeBaseId}`;
    const response = await api.patch(url, change);
    expect(response.status).toBe(400);
    expect(problemsIn(response.body)).toEqual([problem]);
    expect((await api.get(url)).body).toEqual(made);
  });
});
