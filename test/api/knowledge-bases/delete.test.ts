import { describe, expect, test } from 'vitest';
import { anAgent, appWithoutTemporal, appWithWorker, minimal } from '../agents/support.js';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aKnowledgeBase, aReadyKnowledgeBase } from './support.js';

describe('200', () => {
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
});

describe('409', () => {
  const remove = async (id: string) => {
    const { status, body } = await api.delete(`/v1/knowledge-bases/${id}`);
    return { status, body };
  };

  const inUse = { status: 409, body: { error: 'The knowledge base is in use by these agents: Reminder' } };

  // shows: knowledge.delete.used
  test('one that the latest version of an agent names stays', async () => {
    const { knowledgeBaseId } = await aKnowledgeBase();
    const { agentId } = await anAgent();
    await api.put(`/v1/agents/${agentId}`, { ...minimal, knowledgeBaseIds: [knowledgeBaseId] });
    expect(await remove(knowledgeBaseId)).toEqual(inUse);
  });

  // shows: knowledge.delete.used
  test('one that the deployed version names stays, also when the latest does not', async () => {
    const { knowledgeBaseId } = await aKnowledgeBase();
    const config = { ...minimal, knowledgeBaseIds: [knowledgeBaseId] };
    const { agentId } = await anAgent(config, { app: await appWithWorker() });
    await api.put(`/v1/agents/${agentId}`, minimal);
    expect(await remove(knowledgeBaseId)).toEqual(inUse);
  });

  test('it is not deleted from under an agent that is being created: one of the two is refused', async () => {
    const app = await appWithoutTemporal();
    for (let round = 0; round < 8; round += 1) {
      const { knowledgeBaseId } = await aKnowledgeBase();
      const config = { ...minimal, knowledgeBaseIds: [knowledgeBaseId] };
      const [deleted, created] = await Promise.all([
        api.delete(`/v1/knowledge-bases/${knowledgeBaseId}`),
        api.post('/v1/agents', config, { app }),
      ]);
      expect([deleted.status, created.status].sort().join()).toMatch(/^(200,400|201,409)$/);
    }
  });
});
