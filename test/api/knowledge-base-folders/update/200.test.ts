import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aFolder, nestedFolders } from '../support.js';

const patch = (id: string, change: object) => api.patch(`/v1/knowledge-base-folders/${id}`, change);

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
