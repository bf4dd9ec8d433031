import type { Operation } from '../operation.js';
import { getContent } from './content.js';
import { createKnowledgeBase } from './create.js';
import { removeKnowledgeBase } from './delete.js';
import { getKnowledgeBase } from './get.js';
import { listKnowledgeBasesOfAccount } from './list.js';
import { queryKnowledgeBase } from './query.js';
import { patchKnowledgeBase } from './update.js';

export const knowledgeBaseOperations: readonly Operation[] = [
  createKnowledgeBase,
  listKnowledgeBasesOfAccount,
  getKnowledgeBase,
  patchKnowledgeBase,
  removeKnowledgeBase,
  getContent,
  queryKnowledgeBase,
];
