import { goLive } from '../../../db/queries/agents/deploy.js';
import { aRoute } from '../batch-calls/support.js';
import { anotherApp, api, here, oncePerFile, type RequestOptions } from '../support.js';
import { rowsOf } from '../support-resources.js';

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

/** A worker's part of one deploy: it goes live if it still may. */
export const goLiveNow = (deploymentId: string) =>
  goLive(here().database.db, {
    accountId: here().me.account.id,
    deploymentId,
    defaultRegion: 'default',
    defaults: {},
  });

/** An API beside which a worker runs. */
export const appWithWorker = oncePerFile(() =>
  anotherApp({ temporal: { kick: () => void deployWhatWaits(), isReachable: () => Promise.resolve(true) } }),
);

/** An API that cannot reach Temporal: it does not wait for deploys. */
export const appWithoutTemporal = oncePerFile(() =>
  anotherApp({ temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) } }),
);

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

export interface DeploymentAnswer {
  readonly deploymentId: string;
  readonly versionId: string;
  readonly region: string;
  readonly status: string;
  readonly reason?: string;
}

/** Orders a deploy; no worker carries it out. */
export async function aDeploy(agentId: string, body: object = {}): Promise<DeploymentAnswer> {
  const response = await api.post(`/v1/agents/${agentId}/deploy`, body);
  if (response.status !== 202) throw new Error(`Not deployed: ${response.text}`);
  return response.body as DeploymentAnswer;
}

/** An agent whose first version is live in the default region. */
export async function aLiveAgent(config: object = minimal): Promise<AgentAnswer> {
  return anAgent(config, { app: await appWithWorker() });
}

/** Saves another version. @returns its id */
export async function aVersion(agentId: string, change: object = {}): Promise<string> {
  const response = await api.put(`/v1/agents/${agentId}`, { ...minimal, ...change });
  if (response.status !== 200) throw new Error(`No version: ${response.text}`);
  return (response.body as AgentAnswer).versionId;
}

export const agentNow = async (agentId: string) =>
  (await api.get(`/v1/agents/${agentId}`)).body as { status: string; deploymentId?: string };

/** Its deployments, the latest accepted first. */
export const deploymentsNow = async (agentId: string) =>
  ((await api.get(`/v1/agents/${agentId}/deployments`)).body as { data: DeploymentAnswer[] }).data;

/** A number whose calls the agent makes, with its outbound rule. */
export async function aLineOf(agentId: string): Promise<{ readonly e164: string; readonly ruleId: string }> {
  const { phoneNumber, ruleId } = await aRoute();
  await rowsOf('update routing_rules set agent_id = $2 where id = $1', [ruleId, agentId]);
  return { e164: phoneNumber, ruleId };
}
