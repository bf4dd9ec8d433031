import { expect, test } from 'vitest';
import { aFolder } from '../../knowledge-base-folders/support.js';
import { api } from '../../support.js';
import { aKnowledgeBase, becomesReady } from '../support.js';

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
