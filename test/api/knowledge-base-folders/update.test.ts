import { describe, expect, test } from 'vitest';
import { problemsIn } from '../knowledge-bases/support.js';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aFolder, nestedFolders } from './support.js';

const patch = (id: string, change: object) => api.patch(`/v1/knowledge-base-folders/${id}`, change);

describe('200', () => {
  // shows: folders.crud
  test('a folder is renamed, moved into another, and to the top', async () => {
    const [folder, target] = [await aFolder(), await aFolder()];
    const changed = { ...folder, updatedAt: expect.any(String) };
    expect((await patch(folder.folderId, { name: 'Renamed' })).body).toEqual({ ...changed, name: 'Renamed' });
    const parentId = target.folderId;
    expect((await patch(folder.folderId, { parentId })).body).toEqual({ ...changed, name: 'Renamed', parentId });
    expect((await patch(folder.folderId, { parentId: null })).body).toEqual({ ...changed, name: 'Renamed' });
  });

  test('what is in it moves with it: its levels count from its new place', async () => {
    const [outer, inner] = await nestedFolders(2);
    const target = await aFolder();
    expect((await patch(outer!.folderId, { parentId: target.folderId })).status).toBe(200);
    // The inner one is at the third level now, and at the second again when its parent is back at the top.
    const parentId = inner!.folderId;
    expect((await api.post('/v1/knowledge-base-folders', { name: 'Deep', parentId })).status).toBe(400);
    expect((await patch(outer!.folderId, { parentId: null })).status).toBe(200);
    expect((await api.post('/v1/knowledge-base-folders', { name: 'Deep', parentId })).status).toBe(201);
  });

  test('it can be sent back as it was got', async () => {
    const [, inner] = await nestedFolders(2);
    const response = await patch(inner!.folderId, { ...inner, name: 'Renamed again' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...inner, name: 'Renamed again', updatedAt: expect.any(String) });
  });
});

describe('400', () => {
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
});

describe('409', () => {
  // shows: folders.name
  test('a folder does not take the name of one beside it, by renaming or by moving', async () => {
    const [one, other] = [await aFolder(), await aFolder()];
    const renamed = await api.patch(`/v1/knowledge-base-folders/${one.folderId}`, { name: other.name });
    expect({ status: renamed.status, body: renamed.body }).toEqual({
      status: 409,
      body: { error: expect.stringContaining(other.name) },
    });
    const inside = await aFolder({ name: one.name, parentId: other.folderId });
    const moved = await api.patch(`/v1/knowledge-base-folders/${inside.folderId}`, { parentId: null });
    expect({ status: moved.status, body: moved.body }).toEqual({ status: 409, body: { error: expect.any(String) } });
  });
});
