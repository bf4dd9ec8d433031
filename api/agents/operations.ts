import type { Operation } from '../operation.js';
import { createAgent } from './create.js';
import { getAgent } from './get.js';
import { listAgentsOfAccount } from './list.js';
import { updateAgent } from './update.js';

export const agentOperations: readonly Operation[] = [createAgent, listAgentsOfAccount, getAgent, updateAgent];
