import type { Operation } from '../operation.js';
import { createAgent } from './create.js';
import { deleteAgent } from './delete.js';
import { deployAgent } from './deploy.js';
import { getAgent } from './get.js';
import { getAgentDeployment } from './get-deployment.js';
import { getAgentVersion } from './get-version.js';
import { listLanguages } from './languages.js';
import { listAgentsOfAccount } from './list.js';
import { listAgentDeployments } from './list-deployments.js';
import { listAgentVersions } from './list-versions.js';
import { listModels } from './models.js';
import { undeployAgent } from './undeploy.js';
import { updateAgent } from './update.js';

export const agentOperations: readonly Operation[] = [
  createAgent,
  listAgentsOfAccount,
  getAgent,
  updateAgent,
  deleteAgent,
  listAgentVersions,
  getAgentVersion,
  deployAgent,
  undeployAgent,
  listAgentDeployments,
  getAgentDeployment,
  listModels,
  listLanguages,
];
