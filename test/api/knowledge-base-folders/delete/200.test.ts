import { expect, test } from 'vitest';
import { aKnowledgeBase } from '../../knowledge-bases/support.js';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aFolder, nestedFolders } from '../support.js';

const message = 'The folder has been deleted';

test('an empty folder is deleted, and its name is free', async () => {
  const { folderId, name } = await aFolder();
  const response = await api.delete(`/v1/knowledge-base-folders/${folderId}`);
  expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: { message } });
  expect((await api.get(`/v1/knowledge-base-folders/${folderId}`)).status).toBe(404);
  await aFolder({ name });
});

// shows: folders.delete
test('with recursive=true all that is in it goes too, and nothing else', async () => {
  const [outer, , deepest] = await nestedFolders(3);
  const inside = await aKnowledgeBase({ folderId: deepest!.folderId });
  const outside = await aKnowledgeBase();

  const response = await api.delete(`/v1/knowledge-base-folders/${outer!.folderId}?recursive=true`);

  expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: { message } });
  expect((await api.get(`/v1/knowledge-base-folders/${deepest!.folderId}`)).status).toBe(404);
  expect((await api.get(`/v1/knowledge-bases/${inside.knowledgeBaseId}`)).status).toBe(404);
  expect((await api.get(`/v1/knowledge-bases/${outside.knowledgeBaseId}`)).status).toBe(200);
  expect(
    await rowsOf('select action, details from audit_log where target = $1 and action like $2', [
      outer!.folderId,
      '%delete',
    ]),
  ).toEqual([{ action: 'knowledge-base-folder.delete', details: { folders: 2, knowledgeBases: 1 } }]);
});
