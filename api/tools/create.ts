import { v7 as uuidv7 } from 'uuid';
import { insertTool } from '../../db/queries/agents/tools.js';
import { isUniqueViolation } from '../../db/unique-violation.js';
import { conflict } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { invalidRequest } from '../validation.js';
import { sealedHeaders } from './headers.js';
import { placeholderProblems, toolBodyProblems } from './problems.js';
import { CreateTool, Tool, toolBody } from './schema.js';

export const nameTaken = (name: string) => conflict(`There is a tool called ${name} already`);

/** POST /v1/tools */
export const createTool = operation({
  name: 'tools.create',
  method: 'POST',
  url: '/v1/tools',
  family: 'agents',
  tag: 'Tools',
  idempotent: true,
  schema: {
    summary: 'Create a tool',
    description:
      'An HTTP request that agents can make during a call, under a function name that is unique on the account (409). Name ' +
      "it in an agent's `tools`. `parameters` is a JSON Schema (2020-12, 2019-09 or draft-07) of type object. The URL is " +
      'https and outside of private networks; redirects are not followed. Header values are sealed and never shown again.',
    body: CreateTool,
    bodyProblems: toolBodyProblems,
    response: { 201: Tool },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    const problems = placeholderProblems(body);
    if (problems.length > 0) throw invalidRequest(problems);
    try {
      return await withIdempotency(request, deps, body, async (tx) => {
        const [accountId, toolId] = [caller.accountId, formatId('tool', uuidv7())];
        const tool = await insertTool(tx, {
          id: toolId,
          account_id: accountId,
          name: body.name,
          description: body.description,
          parameters: JSON.stringify(body.parameters),
          method: body.method,
          url: body.url,
          timeout_seconds: body.timeoutSeconds,
          ...sealedHeaders(deps.secretBox, { accountId, toolId }, body.headers),
        });
        await recordAudit(tx, caller, 'tool.create', tool.id, { name: tool.name });
        return { status: 201 as const, body: toolBody(tool) };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'tools')) throw nameTaken(body.name);
      throw error;
    }
  },
});
