import { conflict, notFound } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { type AgentUses, agentUses, deleteAgentRow, lockAgentForChange } from '../../db/queries/agents/delete.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { AgentParams } from './schema.js';

/** What prevents it, or null. */
function obstacle({ rules, batches, calls }: AgentUses): string | null {
  const used = [
    ...(rules.length > 0 ? [`routing rules (${rules.join(', ')})`] : []),
    ...(batches.length > 0 ? [`unfinished batch calls (${batches.join(', ')})`] : []),
    ...(calls.length > 0 ? [`calls in progress (${calls.map((id) => formatId('call', id)).join(', ')})`] : []),
  ];
  return used.length === 0 ? null : `The agent is used by ${used.join(' and by ')}`;
}

/** DELETE /v1/agents/{agentId} */
export const deleteAgent = operation({
  name: 'agents.delete',
  method: 'DELETE',
  url: '/v1/agents/:agentId',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'Delete an agent',
    description:
      'Removes it with its versions, the provider keys in them and its deployments; calls that it made keep its id. ' +
      '409 while a routing rule, an unfinished batch call or a call in progress uses it; the answer names some of ' +
      'them.',
    params: AgentParams,
    response: { 200: doneWith('The agent has been deleted.') },
    errors: [409],
  },

  async handler({ params: { agentId }, caller }, { database: { db } }) {
    const { accountId } = caller;
    await db.transaction().execute(async (tx) => {
      if ((await lockAgentForChange(tx, accountId, agentId)) === null) throw notFound('Agent not found');
      const inTheWay = obstacle(await agentUses(tx, accountId, agentId));
      if (inTheWay !== null) throw conflict(inTheWay);
      await deleteAgentRow(tx, accountId, agentId);
      await recordAudit(tx, caller, 'agent.delete', agentId);
    });
    return { status: 200, body: { message: 'The agent has been deleted.' } };
  },
});
