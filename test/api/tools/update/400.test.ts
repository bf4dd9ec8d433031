import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aTool, problemsIn } from '../support.js';

test.each<[string, object, string]>([
  ['a masked header, as GET shows it', { headers: { 'X-Key': '••••long' } }, 'headers.X-Key MASKED_API_KEY'],
  ['another id', { toolId: 'tool_other' }, 'toolId INVALID_VALUE'],
  ['a private address', { url: 'https://192.168.0.1/' }, 'url INVALID_URL'],
  ['a placeholder without its parameter', { url: 'https://example.com/{other}' }, 'url INVALID_URL'],
  ['parameters without the placeholder of the URL', { parameters: { type: 'object' } }, 'url INVALID_URL'],
  ['a name of null', { name: null }, 'name INVALID_TYPE'],
  ['an unknown field', { colour: 'red' }, 'colour UNRECOGNIZED_KEY'],
])('%s is refused, and nothing changes', async (_what, change, problem) => {
  const tool = await aTool({
    headers: { 'X-Key': 'something-long' },
    url: 'https://example.com/{id}',
    parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  });

  const response = await api.patch(`/v1/tools/${tool.toolId}`, { description: 'New.', ...change });

  expect(response.status).toBe(400);
  expect(problemsIn(response.body)).toEqual([problem]);
  expect((await api.get(`/v1/tools/${tool.toolId}`)).body).toEqual(tool);
});
