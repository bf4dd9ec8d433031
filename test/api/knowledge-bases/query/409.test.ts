import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aKnowledgeBase, becomesFailed } from '../support.js';

test('before it has been read there is nothing, and where that failed the reason is told', async () => {
  const { knowledgeBaseId: id } = await aKnowledgeBase();
  const ask = async () => {
    const { status, body } = await api.post(`/v1/knowledge-bases/${id}/query`, { query: 'hours' });
    return { status, body };
  };
  expect(await ask()).toEqual({ status: 409, body: { error: 'The knowledge base is still being processed' } });
  await becomesFailed(id, 'The document holds no text.');
  expect(await ask()).toEqual({
    status: 409,
    body: { error: 'The knowledge base could not be processed: The document holds no text.' },
  });
});
