import { findTool } from '../../db/queries/agents/tools.js';
import { operation } from '../operation.js';
import { requireTool } from './find.js';
import { Tool, toolBody, ToolParams } from './schema.js';

/** GET /v1/tools/{toolId} */
export const getTool = operation({
  name: 'tools.get',
  method: 'GET',
  url: '/v1/tools/:toolId',
  family: 'agents',
  tag: 'Tools',
  schema: {
    summary: 'Get a tool',
    description: 'Header values are masked.',
    params: ToolParams,
    response: { 200: Tool },
  },

  async handler({ params: { toolId }, caller: { accountId } }, { database: { db } }) {
    return { status: 200, body: toolBody(requireTool(await findTool(db, accountId, toolId))) };
  },
});
