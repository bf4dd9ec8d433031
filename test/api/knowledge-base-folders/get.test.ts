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
