import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { nestedFolders } from './support.js';

describe('200', () => {
  // shows: folders.crud
  test('a folder is answered as it was created', async () => {
    for (const folder of await nestedFolders(2)) {
      const response = await api.get(`/v1/knowledge-base-folders/${folder.folderId}`);
      expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: folder });
    }
  });
});

describe('404', () => {
  test.each(['kbf_01939a80-1f2e-7d5b-8c44-90ab12cd34ef', 'nonsense'])('%s is no folder of this account', async (id) => {
    const url = `/v1/knowledge-base-folders/${id}`;
    const response = await api.get(url);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 404,
      body: { error: 'Folder not found' },
    });
  });
});
