import type { FastifyInstance } from 'fastify';
import { goLive } from '../../../db/queries/deploy-agent.js';
import { anotherApp, api, here, type RequestOptions } from '../support.js';

export const minimal = { name: 'Reminder', languages: { english: { prompt: 'Remind the callee.' } } };

/** A worker's part of a deploy: whatever the outbox asks to be deployed goes live. */
async function deployWhatWaits(): Promise<void> {
  const { db } = here().database;
  const waiting = await db
    .selectFrom('deployments')
    .select(['id', 'account_id'])
    .where('status', '=', 'pending')
    .execute();
  for (const { id, account_id: accountId } of waiting) {
    await goLive(db, { accountId, deploymentId: id, defaultRegion: 'default', defaults: {} });
  }
}

/** An API beside which a worker runs. */
export function appWithWorker(): Promise<FastifyInstance> {
  return anotherApp({ temporal: { kick: () => void deployWhatWaits(), isReachable: () => Promise.resolve(true) } });
}

/** An API that cannot reach Temporal: it does not wait for deploys. */
export function appWithoutTemporal(): Promise<FastifyInstance> {
  return anotherApp({ temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) } });
}

export interface AgentAnswer {
  readonly agentId: string;
  readonly name: string;
  readonly versionId: string;
  readonly updatedAt: string;
  readonly config: unknown;
}

/** A new agent of the account `me`, or of another token's, that no worker has deployed. */
export async function anAgent(config: object = minimal, options: RequestOptions = {}): Promise<AgentAnswer> {
  const app = options.app ?? (await appWithoutTemporal());
  const { status, body } = await api.post('/v1/agents', config, { ...options, app });
  if (status !== 201) throw new Error(`The agent was not created: ${JSON.stringify(body)}`);
  return body as AgentAnswer;
}
