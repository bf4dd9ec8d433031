import type { z } from 'zod';
import { lockTool, updateTool } from '../../db/queries/agents/tools.js';
import { isUniqueViolation } from '../../db/unique-violation.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { invalidRequest } from '../validation.js';
import { nameTaken } from './create.js';
import { requireTool } from './find.js';
import { sealedHeaders } from './headers.js';
import { placeholderProblems, toolBodyProblems } from './problems.js';
import { Tool, toolBody, toolDefaults, ToolParams, UpdateTool } from './schema.js';

/** Null stands for what a new tool would have. */
const withDefaults = ({ parameters, method, timeoutSeconds }: z.output<typeof UpdateTool>) => ({
  parameters: parameters === null ? toolDefaults.parameters : parameters,
  method: method === null ? toolDefaults.method : method,
  timeoutSeconds: timeoutSeconds === null ? toolDefaults.timeoutSeconds : timeoutSeconds,
});

/** PATCH /v1/tools/{toolId} */
export const patchTool = operation({
  name: 'tools.update',
  method: 'PATCH',
  url: '/v1/tools/:toolId',
  family: 'agents',
  tag: 'Tools',
  schema: {
    summary: 'Change a tool',
    description:
      'Changes the fields that are sent. `headers` replaces all headers: a masked value is refused; omit the field ' +
      'to keep them. Agents that use the tool call the changed one, deployed agents too.',
    params: ToolParams,
    body: UpdateTool,
    bodyProblems: toolBodyProblems,
    response: { 200: Tool },
    errors: [409],
  },

  async handler({ params: { toolId }, body, caller }, { database: { db }, secretBox }) {
    const { accountId } = caller;
    const { name, description, url, headers } = body;
    const { parameters, method, timeoutSeconds } = withDefaults(body);
    const change = async () =>
      db.transaction().execute(async (tx) => {
        const current = requireTool(await lockTool(tx, accountId, toolId));
        const before = toolBody(current);
        const problems = [
          ...changedReadOnly(body, before, ['toolId', 'createdAt', 'updatedAt']),
          ...placeholderProblems({ url: url ?? before.url, parameters: parameters ?? before.parameters }),
        ];
        if (problems.length > 0) throw invalidRequest(problems);
        const tool = await updateTool(tx, accountId, toolId, {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description }),
          ...(parameters === undefined ? {} : { parameters: JSON.stringify(parameters) }),
          ...(method === undefined ? {} : { method }),
          ...(url === undefined ? {} : { url }),
          ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
          ...(headers === undefined ? {} : sealedHeaders(secretBox, { accountId, toolId }, headers ?? {})),
        });
        await recordAudit(tx, caller, 'tool.update', toolId, { fields: Object.keys(body) });
        return tool;
      });
    try {
      return { status: 200, body: toolBody(await change()) };
    } catch (error) {
      if (isUniqueViolation(error, 'tools')) throw nameTaken(body.name ?? '');
      throw error;
    }
  },
});
