import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { notFound } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { lockAgentForChange } from '../../db/queries/agents/delete.js';
import { findVersion } from '../../db/queries/agents/versions.js';
import { insertDeployment } from '../../db/queries/agents/deployments.js';
import { addToOutbox } from '../../db/queries/outbox.js';
import type { Env } from '../../platform/env.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { valueAt } from '../validation.js';
import { Deployment, deploymentBody } from './deployment-schema.js';
import { AgentParams } from './schema.js';

const Deploy = z
  .strictObject({
    versionId: z.string().optional().describe('One of the versions of this agent; the latest if omitted'),
    region: z
      .string()
      .optional()
      .describe('One of the regions of the service (OUTDIAL_REGIONS); the first of them if omitted or `auto`'),
  })
  .meta({
    id: 'DeployAgent',
    examples: [{ versionId: 'ver_0198c0de-5b1f-7c11-9d3a-2f6e8a4b7c10', region: 'default' }],
  });

/** The region that a request means: the first of the settings' is the default. */
const regionOf = ({ OUTDIAL_REGIONS: [first = 'default'] }: Env, asked: string | undefined): string =>
  asked === undefined || asked === 'auto' ? first : asked;

const isRegion = ({ OUTDIAL_REGIONS }: Env, region: string): boolean =>
  region === 'auto' || OUTDIAL_REGIONS.includes(region);

/**
 * POST /v1/agents/{agentId}/deploy
 *
 * The order to deploy is committed with its deployment; the workflow checks it and switches. Deploys and undeploys of one
 * agent are accepted one after the other, and the last one accepted wins, whichever of them is done first.
 */
export const deployAgent = operation({
  name: 'agents.deploy',
  method: 'POST',
  url: '/v1/agents/:agentId/deploy',
  family: 'agents',
  tag: 'Agents',
  idempotent: true,
  schema: {
    summary: 'Deploy a version of an agent',
    description:
      'Answers at once with a deployment at `pending`; follow it with GET. It goes live in one step: calls that are ' +
      'dialed afterwards get the new version, calls in progress keep theirs. At most one deployment of an agent is live ' +
      'in a region. Of several deploys and undeploys, the last accepted counts; one that is carried out after it ends ' +
      '`retired` with reason `superseded`.\n\n' +
      'A deploy that cannot go live ends `failed`, and the live version stays. Its `reason` names all that is missing: ' +
      'an active API key on the account; for a model, an `apiKey` in the config or the environment variable of the ' +
      'service’s own key; an agent worker in the region. Each language model, and speech of Cartesia, Deepgram, ' +
      'ElevenLabs and the OpenAI protocol, is asked for a word: a refused key, an unknown model or voice fails it as ' +
      'well. An agent is `active` while a version is live in the default region.',
    params: AgentParams,
    body: Deploy,
    bodyProblems(body, { env }) {
      const region = valueAt(body, ['region']);
      if (typeof region !== 'string' || isRegion(env, region)) return [];
      const message = `must be one of: ${env.OUTDIAL_REGIONS.join(', ')}`;
      return [{ path: 'region', code: 'INVALID_VALUE', message }];
    },
    response: { 202: Deployment },
  },

  async handler(request, deps) {
    const { body, caller, params } = request;
    const { accountId } = caller;
    const { agentId } = params;
    const deploymentId = formatId('deployment', uuidv7());
    const region = regionOf(deps.env, body.region);
    const answer = await withIdempotency(request, deps, body, async (tx) => {
      const agent = await lockAgentForChange(tx, accountId, agentId);
      if (agent === null) throw notFound('Agent not found');
      const versionId = body.versionId ?? agent.latestVersionId;
      if ((await findVersion(tx, { accountId, agentId }, versionId)) === null) throw notFound('Version not found');
      const deployment = await insertDeployment(tx, { deploymentId, accountId, agentId, versionId, region });
      await addToOutbox(tx, { kind: 'start', name: 'deployAgent', input: { accountId, deploymentId } });
      await recordAudit(tx, caller, 'agent.deploy', agentId, { deploymentId, versionId, region });
      return { status: 202 as const, body: deploymentBody(deployment) };
    });
    deps.temporal.kick();
    return answer;
  },
});
