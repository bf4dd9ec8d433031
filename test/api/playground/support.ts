import type { PlaygroundSession } from '../../../api/playground/schema.js';
import { anAgent, goLiveNow } from '../agents/support.js';
import { api, here, type RequestOptions } from '../support.js';
import { rowsOf } from '../support-resources.js';

/** An agent of this config, live unless it is to be inactive. */
export async function aTriedAgent(config: object, { status = 'active' } = {}): Promise<string> {
  const { agentId } = await anAgent({ name: 'Reminders', ...config });
  const [made] = await rowsOf<{ id: string }>('select id from deployments where agent_id = $1', [agentId]);
  if (status === 'active') await goLiveNow(made!.id);
  return agentId;
}

export const startSession = (agentId: string, body?: object, options: RequestOptions = {}) =>
  api.post(`/v1/agents/${agentId}/playground-sessions`, body, options);

export async function aSession(agentId: string, options: RequestOptions = {}): Promise<PlaygroundSession> {
  const response = await startSession(agentId, {}, options);
  if (response.status !== 201) throw new Error(`No session: ${response.text}`);
  return response.body as PlaygroundSession;
}

export const write = (agentId: string, body: object, options: RequestOptions = {}) =>
  api.post(`/v1/agents/${agentId}/playground-messages`, body, options);

/** The settings of the file's API with others on top. */
export const withSettings = (change: object) => ({ ...here().deps.env, ...change });
