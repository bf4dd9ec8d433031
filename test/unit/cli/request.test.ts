import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestOf } from '../../../cli/client/request.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

test('fields go into the query of a GET as they are, each as often as it is given', async () => {
  const made = await requestOf('get', '/v1/batch-calls?perPage=2', {
    field: ['status=running', 'status=completed', 'search=a&b'],
  });
  expect(made).toMatchObject({
    method: 'GET',
    path: '/v1/batch-calls?perPage=2&status=running&status=completed&search=a%26b',
  });
  expect(made.body).toBeUndefined();
});

test('fields of a POST are JSON if they read as JSON, and texts otherwise', async () => {
  const made = await requestOf('POST', '/v2/sip/call', {
    field: ['sipCallTo=+14155550123', 'ringingTimeout=20', 'metadata={"a":"b=c"}', 'name="7"'],
  });
  expect(JSON.parse(made.body as string)).toEqual({
    ...{ sipCallTo: '+14155550123', ringingTimeout: 20, metadata: { a: 'b=c' }, name: '7' },
  });
  expect(made.headers.get('content-type')).toBe('application/json');
});

test('a field with @ sends a form with the file under its own name', async () => {
  const file = join(temporaryFolder('request'), 'numbers.csv');
  writeFileSync(file, 'phone_number\n');
  const { body, headers } = await requestOf('POST', '/v1/do-not-call', { field: [`file=@${file}`, 'reason=asked'] });
  const sent = body as FormData;
  const part = sent.get('file');
  if (part === null || typeof part === 'string') throw new Error('No file was sent.');
  expect({ name: part.name, text: await part.text() }).toEqual({ name: 'numbers.csv', text: 'phone_number\n' });
  expect(sent.get('reason')).toBe('asked');
  expect(headers.has('content-type')).toBe(false);
});

test.each([
  ['FETCH', '/v1/account', {}, 'FETCH is no method'],
  ['GET', 'v1/account', {}, 'begins with a slash'],
  ['GET', '//elsewhere.example/v1', {}, 'begins with a slash'],
  ['GET', undefined, {}, 'begins with a slash'],
  ['POST', '/v1/tools', { field: ['name'] }, 'name: must be name=value'],
  ['POST', '/v1/tools', { field: ['a=b'], input: 'x.json' }, 'goes with no --field'],
  ['POST', '/v1/tools', { input: '/nowhere/x.json' }, '/nowhere/x.json cannot be read'],
  ['GET', '/v1/account', { header: ['Authorization: abc'] }, 'other processes can read arguments'],
])('%s %s %j is refused with exit code 2', async (method, path, flags, words) => {
  await expect(requestOf(method, path, flags)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(words),
  });
});
