import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aReadyKnowledgeBase } from '../support.js';

// shows: knowledge.content
test('the text that was found is answered whole', async () => {
  const content = 'Opening hours\n\nFrom nine to five. 🕘';
  const knowledgeBaseId = await aReadyKnowledgeBase(content);
  const response = await api.get(`/v1/knowledge-bases/${knowledgeBaseId}/content`);
  expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: { knowledgeBaseId, content } });
});
