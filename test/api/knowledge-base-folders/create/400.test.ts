import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { problemsIn } from '../../knowledge-bases/support.js';
import { aFolder, nestedFolders } from '../support.js';

const create = async (body: object, token?: string) => {
  const response = await api.post('/v1/knowledge-base-folders', body, token === undefined ? {} : { token });
  expect(response.status).toBe(400);
  return problemsIn(response.body);
};

test.each<[string, object, string]>([
  ['no name', {}, 'name REQUIRED'],
  ['an empty name', { name: '' }, 'name INVALID_VALUE'],
  ['a name of 257 characters', { name: 'a'.repeat(257) }, 'name TOO_LONG'],
  ['an unknown parent', { name: 'A', parentId: 'kbf_none' }, 'parentId INVALID_VALUE'],
  ['an unknown field', { name: 'A', level: 2 }, 'level UNRECOGNIZED_KEY'],
])('%s is refused', async (_what, body, problem) => {
  expect(await create(body)).toEqual([problem]);
});

// shows: folders.levels
test('a fourth level is refused', async () => {
  const deepest = (await nestedFolders(3)).at(-1);
  expect(await create({ name: 'A', parentId: deepest?.folderId })).toEqual(['parentId INVALID_VALUE']);
});

test('another account’s folder is as unknown as none', async () => {
  const { folderId: parentId } = await aFolder();
  expect(await create({ name: 'A', parentId }, (await anAccount()).token)).toEqual(['parentId INVALID_VALUE']);
});
