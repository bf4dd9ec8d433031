import type { Operation } from '../operation.js';
import { createAgent } from './create.js';
import { getAgent } from './get.js';
import { listLanguages } from './languages.js';
import { listAgentsOfAccount } from './list.js';
import { listModels } from './models.js';
import { updateAgent } from './update.js';

export const agentOperations: readonly Operation[] = [
  createAgent,
  listAgentsOfAccount,
  getAgent,
  updateAgent,
  listModels,
  listLanguages,
];
