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

describe('404', () => {
  test.each(['kb_01939a84-2c6d-7e10-8f3b-1a2b3c4d5e6f', 'nonsense'])(
    '%s is no knowledge base of this account',
    async (id) => {
      const url = `/v1/knowledge-bases/${id}/content`;
      const response = await api.get(url);
      expect({ status: response.status, body: response.body }).toEqual({
        status: 404,
        body: { error: 'Knowledge base not found' },
      });
    },
  );
});

describe('409', () => {
  test('before it has been read there is nothing, and where that failed the reason is told', async () => {
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
