import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { problemsIn, toolBody } from '../support.js';

const deep = (count: number): object => (count === 0 ? { type: 'string' } : { type: 'array', items: deep(count - 1) });

// shows: tools.parameters, tools.url
test.each<[string, object, string]>([
  ['a name with a space', { name: 'look up' }, 'name INVALID_VALUE'],
  ['a name that begins with a digit', { name: '1st' }, 'name INVALID_VALUE'],
  ['a name of 65 characters', { name: 'a'.repeat(65) }, 'name INVALID_VALUE'],
  ['no name', { name: undefined }, 'name REQUIRED'],
  ['an empty description', { description: '' }, 'description INVALID_VALUE'],
  ['a description of 2001 characters', { description: 'd'.repeat(2001) }, 'description TOO_LONG'],
  ['an unknown field', { colour: 'red' }, 'colour UNRECOGNIZED_KEY'],
  ['an unknown method', { method: 'get' }, 'method INVALID_VALUE'],
  ['no seconds to answer', { timeoutSeconds: 0 }, 'timeoutSeconds OUT_OF_RANGE'],
  ['over a minute to answer', { timeoutSeconds: 61 }, 'timeoutSeconds OUT_OF_RANGE'],
  ['a URL that is none', { url: 'orders' }, 'url INVALID_URL'],
  ['http', { url: 'http://example.com/' }, 'url INVALID_URL'],
  ['a private address', { url: 'https://10.0.0.1/' }, 'url INVALID_URL'],
  ['a private address behind a placeholder', { url: 'https://127.0.0.1/{x}' }, 'url INVALID_URL'],
  ['a password in the URL', { url: 'https://a:b@example.com/' }, 'url INVALID_URL'],
  ['a placeholder for the host', { url: 'https://{host}/x' }, 'url INVALID_URL'],
  ['a placeholder in the host', { url: 'https://a.{host}.example/x' }, 'url INVALID_URL'],
  ['a placeholder that is no parameter', { url: 'https://example.com/{id}' }, 'url INVALID_URL'],
  [
    'a placeholder that is not a required parameter',
    { url: 'https://example.com/{id}', parameters: { type: 'object', properties: { id: {} } } },
    'url INVALID_URL',
  ],
  ['half a placeholder', { url: 'https://example.com/{id' }, 'url INVALID_URL'],
  ['parameters of another type', { parameters: { type: 'string' } }, 'parameters INVALID_VALUE'],
  ['parameters without type', { parameters: { properties: {} } }, 'parameters INVALID_VALUE'],
  [
    'a schema that is none',
    { parameters: { type: 'object', properties: { a: { type: 'text' } } } },
    'parameters INVALID_VALUE',
  ],
  ['a reference to nowhere', { parameters: { type: 'object', $ref: '#/$defs/a' } }, 'parameters INVALID_VALUE'],
  [
    'a reference to elsewhere',
    { parameters: { type: 'object', $ref: 'https://example.com/a' } },
    'parameters INVALID_VALUE',
  ],
  [
    'a pattern that is none',
    { parameters: { type: 'object', properties: { a: { pattern: '(' } } } },
    'parameters INVALID_VALUE',
  ],
  ['another dialect', { parameters: { type: 'object', $schema: 'https://example.com/s' } }, 'parameters INVALID_VALUE'],
  [
    'a schema of over 16 KB',
    { parameters: { type: 'object', description: 'd'.repeat(16_384) } },
    'parameters TOO_LONG',
  ],
  ['a header that names the host', { headers: { Host: 'a' } }, 'headers.Host INVALID_VALUE'],
  ['a header name with a space', { headers: { 'X A': 'a' } }, 'headers.X A INVALID_VALUE'],
  ['a header of two lines', { headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A INVALID_VALUE'],
  ['one header in two casings', { headers: { 'X-A': 'a', 'x-a': 'b' } }, 'headers.x-a INVALID_VALUE'],
  ['a masked header', { headers: { 'X-A': '••••4711' } }, 'headers.X-A MASKED_API_KEY'],
  ['a header without a text', { headers: { 'X-A': 1 } }, 'headers.X-A INVALID_TYPE'],
])('%s is refused', async (_what, change, problem) => {
  const response = await api.post('/v1/tools', toolBody(change));
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ status: 'error' });
  expect(problemsIn(response.body)).toEqual([problem]);
});

test('everything that is wrong is told at once', async () => {
  const response = await api.post('/v1/tools', { url: 'http://example.com', parameters: { type: 'array' } });
  expect(problemsIn(response.body)).toEqual([
    'description REQUIRED',
    'name REQUIRED',
    'parameters INVALID_VALUE',
    'url INVALID_URL',
  ]);
});

test('a schema that nests deeply within its size is accepted or refused, and never a failure of ours', async () => {
  const parameters = { type: 'object', properties: { a: deep(20) } };
  expect((await api.post('/v1/tools', toolBody({ parameters }))).status).toBe(201);
  const tooDeep = { type: 'object', properties: { a: deep(80) } };
  expect((await api.post('/v1/tools', toolBody({ parameters: tooDeep }))).status).toBe(400);
});
