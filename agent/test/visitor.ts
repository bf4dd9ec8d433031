import { AgentDispatchClient } from 'livekit-server-sdk';
import { v7 as uuidv7 } from 'uuid';
import { agentName, formatAgentJob, type PlaygroundJob } from '../../domain/agent/job.js';
import { enterAsCallee, type TestCallee } from './callee.js';
import type { AgentTestEnv } from './test-env.js';

/** A visitor of the playground, in a room to which the agent has been sent. */
export async function aVisitor(
  { database, liveKit, accountId }: AgentTestEnv,
  agentId: string,
  session: Pick<PlaygroundJob, 'metadata' | 'maxSeconds'>,
): Promise<TestCallee> {
  const { id: versionId } = await database.db
    .selectFrom('agent_versions')
    .select('id')
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow();
  const name = uuidv7();
  const visitor = await enterAsCallee(liveKit, `playground_${name}`, `visitor_${name}`, {});
  const { url, apiKey, apiSecret } = liveKit;
  await new AgentDispatchClient(url, apiKey, apiSecret).createDispatch(`playground_${name}`, agentName, {
    metadata: formatAgentJob({ kind: 'playground', accountId, agentId, versionId, ...session }),
  });
  return visitor;
}
