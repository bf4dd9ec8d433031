import type { Operation } from '../operation.js';
import { createFolder } from './create.js';
import { removeFolder } from './delete.js';
import { getFolder } from './get.js';
import { listFoldersOfAccount } from './list.js';
import { patchFolder } from './update.js';

export const knowledgeBaseFolderOperations: readonly Operation[] = [
  createFolder,
  listFoldersOfAccount,
  getFolder,
  patchFolder,
  removeFolder,
];
