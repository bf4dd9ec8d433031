import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aKnowledgeBase, becomesFailed, becomesReady } from './support.js';

describe('200', () => {
  const get = async (id: string) => (await api.get(`/v1/knowledge-bases/${id}`)).body;

  // shows: knowledge.get
  test('polling follows it from processing to ready', async () => {
    const made = await aKnowledgeBase({
      text: 'Bestellungen können innerhalb von dreißig Tagen zurückgegeben werden.',
    });
    expect(await get(made.knowledgeBaseId)).toEqual(made);

    await becomesReady(made.knowledgeBaseId);

    expect(await get(made.knowledgeBaseId)).toEqual({
      ...made,
      status: 'ready',
      language: 'de',
      characters: 69,
      passages: 1,
      updatedAt: expect.any(String),
    });
  });

  // shows: knowledge.get
  test('one that failed says why', async () => {
    const made = await aKnowledgeBase();
    await becomesFailed(made.knowledgeBaseId, 'The document holds no text.');
    expect(await get(made.knowledgeBaseId)).toEqual({
      ...made,
      status: 'failed',
      reason: 'The document holds no text.',
      updatedAt: expect.any(String),
    });
  });
});

describe('404', () => {
  test.each(['kb_01939a84-2c6d-7e10-8f3b-1a2b3c4d5e6f', 'nonsense'])(
    '%s is no knowledge base of this account',
    async (id) => {
      const url = `/v1/knowledge-bases/${id}`;
      const response = await api.get(url);
      expect({ status: response.status, body: response.body }).toEqual({
        status: 404,
        body: { error: 'Knowledge base not found' },
      });
    },
  );
});
