import { agentsThatUse } from '../../db/queries/agents/references.js';
import { deleteTool, lockTool } from '../../db/queries/agents/tools.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { requireTool } from './find.js';
import { ToolParams } from './schema.js';

const message = 'The tool has been deleted';

/** DELETE /v1/tools/{toolId} */
export const removeTool = operation({
  name: 'tools.delete',
  method: 'DELETE',
  url: '/v1/tools/:toolId',
  family: 'agents',
  tag: 'Tools',
  schema: {
    summary: 'Delete a tool',
    description:
      'Refused (409) while the latest or a deployed version of an agent uses it. Earlier versions that name it can ' +
      'no longer be deployed.',
    params: ToolParams,
    response: { 200: doneWith(message) },
    errors: [409],
  },

  async handler({ params: { toolId }, caller }, { database: { db } }) {
    const { accountId } = caller;
    await db.transaction().execute(async (tx) => {
      const { name } = requireTool(await lockTool(tx, accountId, toolId));
      const agents = await agentsThatUse(tx, accountId, 'tools', [toolId]);
      if (agents.length > 0) throw conflict(`The tool is in use by these agents: ${agents.join(', ')}`);
      await deleteTool(tx, accountId, toolId);
      await recordAudit(tx, caller, 'tool.delete', toolId, { name });
    });
    return { status: 200, body: { message } };
  },
});
