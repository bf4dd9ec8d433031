import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aKnowledgeBase, aReadyKnowledgeBase, becomesFailed } from './support.js';

describe('200', () => {
  // shows: knowledge.content
  test('the text that was found is answered whole', async () => {
    const content = 'Opening hours\n\nFrom nine to five. 🕘';
    const knowledgeBaseId = await aReadyKnowledgeBase(content);
    const response = await api.get(`/v1/knowledge-bases/${knowledgeBaseId}/content`);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 200,
      body: { knowledgeBaseId, content },
    });
  });
});

describe('409', () => {
  test('before it has been read there is nothing, and if that failed the reason is told', async () => {
    const { knowledgeBaseId: id } = await aKnowledgeBase();
    const ask = async () => {
      const { status, body } = await api.get(`/v1/knowledge-bases/${id}/content`);
      return { status, body };
    };
    expect(await ask()).toEqual({ status: 409, body: { error: 'The knowledge base is still being processed' } });
    await becomesFailed(id, 'The document holds no text.');
    expect(await ask()).toEqual({
      status: 409,
      body: { error: 'The knowledge base could not be processed: The document holds no text.' },
    });
  });
});
