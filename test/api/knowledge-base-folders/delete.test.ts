import { describe, expect, test } from 'vitest';
import { anAgent, minimal } from '../agents/support.js';
import { aKnowledgeBase } from '../knowledge-bases/support.js';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aFolder, nestedFolders } from './support.js';

describe('200', () => {
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
});

describe('400', () => {
  test('recursive is true or false, and nothing is deleted if it is neither', async () => {
    const url = `/v1/knowledge-base-folders/${(await aFolder()).folderId}`;
    const response = await api.delete(`${url}?recursive=yes`);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 400,
      body: { error: expect.any(String) },
    });
    expect((await api.get(url)).status).toBe(200);
  });
});

describe('409', () => {
  const remove = async (folderId: string, query = '') => {
    const { status, body } = await api.delete(`/v1/knowledge-base-folders/${folderId}${query}`);
    return { status, body };
  };

  // shows: folders.delete
  test('a folder with another in it, or a knowledge base, stays', async () => {
    const [outer] = await nestedFolders(2);
    expect(await remove(outer!.folderId)).toEqual({
      status: 409,
      body: { error: expect.stringContaining('1 folders and 0 knowledge bases') },
    });
    const { folderId } = await aFolder();
    await aKnowledgeBase({ folderId });
    expect(await remove(folderId, '?recursive=false')).toEqual({
      status: 409,
      body: { error: expect.stringContaining('0 folders and 1 knowledge bases') },
    });
  });

  test('with a knowledge base in it that an agent uses nothing of it is deleted, recursively either', async () => {
    const [outer, inner] = await nestedFolders(2);
    const used = await aKnowledgeBase({ folderId: inner!.folderId });
    const unused = await aKnowledgeBase({ folderId: outer!.folderId });
    await anAgent({ ...minimal, knowledgeBaseIds: [used.knowledgeBaseId] });

    expect(await remove(outer!.folderId, '?recursive=true')).toEqual({
      status: 409,
      body: { error: 'Knowledge bases in the folder are in use by these agents: Reminder' },
    });
    expect((await api.get(`/v1/knowledge-bases/${unused.knowledgeBaseId}`)).status).toBe(200);
  });

  test.each(['', '?recursive=true'])(
    'a knowledge base is not created in a folder that is deleted%s at the same time, nor lost with it unasked',
    async (query) => {
      for (let round = 0; round < 8; round += 1) {
        const { folderId } = await aFolder();
        const [removed, created] = await Promise.all([
          remove(folderId, query),
          api.post('/v1/knowledge-bases', { name: 'A', text: 'a', folderId }),
        ]);
        // Without recursive: deleted first and refused, or created first and kept. With it, also created first and deleted.
        const outcomes = query === '' ? ['200,400', '409,201'] : ['200,400', '200,201'];
        expect(outcomes).toContain(`${removed.status},${created.status}`);
        const left = await rowsOf('select 1 from knowledge_bases where folder_id = $1', [folderId]);
        expect(left).toHaveLength(removed.status === 409 ? 1 : 0);
      }
    },
  );

  test('knowledge bases that are moved out of a folder while it is deleted with all in it are not stuck with it', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [from, to] = [await aFolder(), await aFolder()];
      const { knowledgeBaseId } = await aKnowledgeBase({ folderId: from.folderId });
      const [removed, moved] = await Promise.all([
        remove(from.folderId, '?recursive=true'),
        api.patch(`/v1/knowledge-bases/${knowledgeBaseId}`, { folderId: to.folderId }),
      ]);
      expect(removed.status).toBe(200);
      const found = await api.get(`/v1/knowledge-bases/${knowledgeBaseId}`);
      expect(found.status).toBe(moved.status);
      expect([200, 404]).toContain(moved.status);
    }
  });
});
