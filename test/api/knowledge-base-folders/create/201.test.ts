import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aFolder, nestedFolders } from '../support.js';

// shows: folders.crud
test('a folder at the top, and one inside it, are answered as they are', async () => {
  const top = await api.post('/v1/knowledge-base-folders', { name: 'Support' });
  expect(top.status).toBe(201);
  expect(top.body).toEqual({
    folderId: expect.stringMatching(/^kbf_[0-9a-f-]{36}$/),
    name: 'Support',
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
  const { folderId: parentId } = top.body as { folderId: string };
  expect(await aFolder({ name: 'Returns', parentId })).toMatchObject({ name: 'Returns', parentId });
});

// shows: folders.levels
test('three levels are possible', async () => {
  expect(await nestedFolders(3)).toHaveLength(3);
});

test('a name may be there again in another folder, in another casing, and on another account', async () => {
  const parent = await aFolder({ name: 'Sales' });
  await aFolder({ name: 'Sales', parentId: parent.folderId });
  await aFolder({ name: 'sales' });
  const { token } = await anAccount();
  await aFolder({ name: 'Sales' }, { token });
});

test('who made it is in the audit log', async () => {
  const { folderId, name } = await aFolder();
  expect(await rowsOf('select action, details from audit_log where target = $1', [folderId])).toEqual([
    { action: 'knowledge-base-folder.create', details: { name } },
  ]);
});
