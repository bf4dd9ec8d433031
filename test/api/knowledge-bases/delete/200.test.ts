import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aKnowledgeBase, aReadyKnowledgeBase } from '../support.js';

const left = (id: string) =>
  rowsOf(
    `select 1 from knowledge_base_documents where knowledge_base_id = $1
     union all select 1 from knowledge_base_contents where knowledge_base_id = $1
     union all select 1 from knowledge_base_passages where knowledge_base_id = $1`,
    [id],
  );

// shows: knowledge.delete
test.each<[string, () => Promise<string>]>([
  ['that is ready', () => aReadyKnowledgeBase('Hello there.')],
  ['that is still being read', async () => (await aKnowledgeBase()).knowledgeBaseId],
])('one %s is deleted with all that belongs to it', async (_state, make) => {
  const id = await make();
  expect(await left(id)).not.toEqual([]);

  const response = await api.delete(`/v1/knowledge-bases/${id}`);

  expect({ status: response.status, body: response.body }).toEqual({
    status: 200,
    body: { message: 'The knowledge base has been deleted' },
  });
  expect((await api.get(`/v1/knowledge-bases/${id}`)).status).toBe(404);
  expect(await left(id)).toEqual([]);
});
