import { expect, test } from 'vitest';
import { problemsIn } from '../../knowledge-bases/support.js';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aFolder, nestedFolders } from '../support.js';

const patch = (id: string, change: object) => api.patch(`/v1/knowledge-base-folders/${id}`, change);

test.each<[string, object, string]>([
  ['another id', { folderId: 'kbf_other' }, 'folderId INVALID_VALUE'],
  ['an unknown parent', { parentId: 'kbf_none' }, 'parentId INVALID_VALUE'],
  ['an empty name', { name: '' }, 'name INVALID_VALUE'],
  ['an unknown field', { level: 1 }, 'level UNRECOGNIZED_KEY'],
])('%s is refused', async (_what, change, problem) => {
  const response = await patch((await aFolder()).folderId, change);
  expect(response.status).toBe(400);
  expect(problemsIn(response.body)).toEqual([problem]);
});

test('a folder does not get into itself, nor into what is in it', async () => {
  const [outer, inner] = await nestedFolders(2);
  for (const parent of [outer!, inner!]) {
    const response = await patch(outer!.folderId, { parentId: parent.folderId });
    expect(response.status).toBe(400);
    expect(problemsIn(response.body)).toEqual(['parentId INVALID_VALUE']);
  }
});

// shows: folders.levels
test('a folder with others in it does not go where the deepest would be at a fourth level', async () => {
  const [outer] = await nestedFolders(2);
  const [, target] = await nestedFolders(2);
  expect((await patch(outer!.folderId, { parentId: target!.folderId })).status).toBe(400);
});

test('of two folders moved into each other at the same time only one moves', async () => {
  for (let round = 0; round < 6; round += 1) {
    const [one, other] = [await aFolder(), await aFolder()];
    const statuses = await Promise.all([
      patch(one.folderId, { parentId: other.folderId }),
      patch(other.folderId, { parentId: one.folderId }),
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
  expect(
    await rowsOf(`select 1 from knowledge_base_folders f join knowledge_base_folders p
    on p.id = f.parent_id where f.level <> p.level + 1`),
  ).toEqual([]);
});
