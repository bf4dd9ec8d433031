import { describe, expect, test } from 'vitest';
import { problemsIn } from '../knowledge-bases/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';
import { aFolder, nestedFolders } from './support.js';

describe('201', () => {
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
});

describe('400', () => {
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
});

describe('409', () => {
  const create = (body: object) => api.post('/v1/knowledge-base-folders', body);

  // shows: folders.name
  test.each(['at the top', 'in a folder'])('a name is there once %s', async (place) => {
    const where = place === 'at the top' ? {} : { parentId: (await aFolder()).folderId };
    const { name } = await aFolder(where);
    const response = await create({ name, ...where });
    expect({ status: response.status, body: response.body }).toEqual({
      status: 409,
      body: { error: `There is a folder called ${name} in this place already` },
    });
  });

  test.each(['at the top', 'in a folder'])(
    'of folders of one name made %s at the same time one is stored',
    async (place) => {
      const where = place === 'at the top' ? {} : { parentId: (await aFolder()).folderId };
      const body = { name: `Race ${place}`, ...where };
      const statuses = (await Promise.all(Array.from({ length: 6 }, () => create(body)))).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
    },
  );
});

describe('422', () => {
  test('an Idempotency-Key is for one content', async () => {
    const create = (name: string) =>
      api.post('/v1/knowledge-base-folders', { name }, { headers: { 'idempotency-key': 'folder-1' } });
    const first = await create('One');
    expect((await create('One')).body).toEqual(first.body);
    const response = await create('Two');
    expect({ status: response.status, body: response.body }).toEqual({
      status: 422,
      body: { error: expect.any(String) },
    });
  });
});
