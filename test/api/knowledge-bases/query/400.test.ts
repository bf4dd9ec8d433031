import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aReadyKnowledgeBase, problemsIn } from '../support.js';

test.each<[string, object, string]>([
  ['no query', {}, 'query REQUIRED'],
  ['an empty query', { query: '' }, 'query INVALID_VALUE'],
  ['a query of 1001 characters', { query: 'a'.repeat(1001) }, 'query TOO_LONG'],
  ['a limit of 0', { query: 'a', limit: 0 }, 'limit OUT_OF_RANGE'],
  ['a limit of 21', { query: 'a', limit: 21 }, 'limit OUT_OF_RANGE'],
  ['half a passage', { query: 'a', limit: 1.5 }, 'limit INVALID_TYPE'],
  ['a limit that is a text', { query: 'a', limit: '5' }, 'limit INVALID_TYPE'],
  ['an unknown field', { query: 'a', top: 1 }, 'top UNRECOGNIZED_KEY'],
])('%s is refused', async (_what, body, problem) => {
  const id = await aReadyKnowledgeBase('Hello there.');
  const response = await api.post(`/v1/knowledge-bases/${id}/query`, body);
  expect(response.status).toBe(400);
  expect(problemsIn(response.body)).toEqual([problem]);
});
