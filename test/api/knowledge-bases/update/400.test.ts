import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aKnowledgeBase, problemsIn } from '../support.js';

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
