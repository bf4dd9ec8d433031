import { expect, test } from 'vitest';
import { aFolder } from '../../knowledge-base-folders/support.js';
import { anAccount, api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { file, type Part, problemsIn, sendForm } from '../support.js';

test.each<[string, object, string[]]>([
  ['nothing', {}, ['name REQUIRED']],
  ['neither text nor URL', { name: 'A' }, ['text REQUIRED']],
  ['text and URL', { name: 'A', text: 'a', url: 'https://example.com' }, ['text INVALID_VALUE']],
  ['an empty text', { name: 'A', text: '' }, ['text INVALID_VALUE']],
  ['a text of 500,001 characters', { name: 'A', text: 'a'.repeat(500_001) }, ['text TOO_LONG']],
  ['a text with NUL', { name: 'A', text: 'a\0' }, ['text INVALID_VALUE']],
  ['a name of 257 characters', { name: 'a'.repeat(257), text: 'a' }, ['name TOO_LONG']],
  ['http', { name: 'A', url: 'http://example.com' }, ['url INVALID_URL']],
  ['a private address', { name: 'A', url: 'https://169.254.169.254/latest' }, ['url INVALID_URL']],
  ['localhost', { name: 'A', url: 'https://localhost/' }, ['url INVALID_URL']],
  ['no URL', { name: 'A', url: 'example' }, ['url INVALID_URL']],
  ['an unknown folder', { name: 'A', text: 'a', folderId: 'kbf_none' }, ['folderId INVALID_VALUE']],
  ['an unknown field', { name: 'A', text: 'a', colour: 'red' }, ['colour UNRECOGNIZED_KEY']],
  ['two mistakes', { name: 1, text: 2 }, ['name INVALID_TYPE', 'text INVALID_TYPE']],
])('%s is refused, and nothing is stored', async (_what, body, problems) => {
  const response = await api.post('/v1/knowledge-bases', body);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ status: 'error' });
  expect(problemsIn(response.body)).toEqual(problems);
  expect(await rowsOf('select 1 from outbox')).toEqual([]);
});

test.each<[string, Part[], string[]]>([
  ['without a file', [{ name: 'name', value: 'A' }], ['file REQUIRED']],
  ['with a file that is a text', [{ name: 'file', value: 'hello' }], ['file INVALID_TYPE']],
  ['with an empty file', [file('')], ['file INVALID_VALUE']],
  ['with two files', [file('a'), file('b')], ['file INVALID_VALUE']],
  ['with two names', [file('a'), { name: 'name', value: 'a' }, { name: 'name', value: 'b' }], ['name INVALID_VALUE']],
  ['with a name of 257 characters', [file('a'), { name: 'name', value: 'a'.repeat(257) }], ['name TOO_LONG']],
  ['with a text', [file('a'), { name: 'text', value: 'a' }], ['text UNRECOGNIZED_KEY']],
  ['with an unknown folder', [file('a'), { name: 'folderId', value: 'kbf_none' }], ['folderId INVALID_VALUE']],
])('a form %s is refused', async (_what, parts, problems) => {
  const response = await sendForm(parts);
  expect(response.status).toBe(400);
  expect(problemsIn(response.body)).toEqual(problems);
});

test('another account’s folder is as unknown as none', async () => {
  const { folderId } = await aFolder();
  const { token } = await anAccount();
  const response = await api.post('/v1/knowledge-bases', { name: 'A', text: 'a', folderId }, { token });
  expect(problemsIn(response.body)).toEqual(['folderId INVALID_VALUE']);
});
