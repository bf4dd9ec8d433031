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
