import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aFolder } from '../support.js';

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
