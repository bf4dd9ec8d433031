import { z } from 'zod';
import type { ToolRow } from '../../db/queries/agents/tools.js';
import { toolMethods, toolName, toolTimeoutSeconds } from '../../domain/agent/tool.js';
import { instant, ownData, text } from '../fields.js';
import { readOnly } from '../read-only.js';
import { toolHeaders } from './headers.js';

const { shortest, longest } = toolTimeoutSeconds;

/** Defaults of a tool. */
export const toolDefaults = {
  parameters: { type: 'object', properties: {} },
  method: 'POST',
  timeoutSeconds: toolTimeoutSeconds.default,
} as const;

const example = {
  name: 'look_up_order',
  description: 'Finds an order by its number. Call it when the callee asks where an order is.',
  parameters: {
    type: 'object',
    properties: { orderId: { type: 'string', description: 'Number of the order, such as A-1042' } },
    required: ['orderId'],
  },
  method: 'GET' as const,
  url: 'https://api.example.com/orders/{orderId}',
  headers: { Authorization: 'Bearer 5f2c9e71d0' },
  timeoutSeconds: 10,
};

const fields = {
  name: z
    .string()
    .regex(toolName, {
      error: 'must be a function name: 1 to 64 letters, digits, _ or -, the first a letter or _',
    })
    .describe('Name of the function as the model calls it; unique on the account'),
  description: text(2000).describe('Tells the model what the tool does and when to use it'),
  parameters: ownData().describe('JSON Schema of the arguments, an object; at most 16 KB'),
  method: z.enum(toolMethods).describe('GET and DELETE send the arguments in the query, the others as JSON'),
  url: text(2048).describe(
    'https, not in a private network. `{placeholders}` in path and query take arguments, which must be required ones',
  ),
  headers: toolHeaders().describe('Sent with each request, at most 50. Answers mask the values'),
  timeoutSeconds: z.int().min(shortest).max(longest).describe('How long the server may take to answer'),
};

export const CreateTool = z
  .strictObject({
    ...fields,
    parameters: fields.parameters.default(toolDefaults.parameters),
    method: fields.method.default(toolDefaults.method),
    headers: fields.headers.default({}),
    timeoutSeconds: fields.timeoutSeconds.default(toolDefaults.timeoutSeconds),
  })
  .meta({ id: 'CreateTool', examples: [example] });
export type CreateTool = z.output<typeof CreateTool>;

export const UpdateTool = z
  .strictObject({
    name: fields.name.optional(),
    description: fields.description.optional(),
    parameters: fields.parameters.nullish().describe('Replaces the whole schema; null: one without properties'),
    method: fields.method.nullish().describe('null: POST'),
    url: fields.url.optional(),
    headers: fields.headers.nullish().describe('Replaces all of them; if omitted they stay; null: none'),
    timeoutSeconds: fields.timeoutSeconds.nullish().describe('How long the server may take; null: 10'),
    toolId: readOnly(),
    createdAt: readOnly(),
    updatedAt: readOnly(),
  })
  .meta({ id: 'UpdateTool', examples: [{ timeoutSeconds: 20 }] });

export const Tool = z
  .strictObject({
    toolId: z.string().describe('`tool_…`'),
    name: z.string().describe('Name of the function'),
    description: z.string().describe('What the model reads of it'),
    parameters: ownData().describe('JSON Schema of the arguments'),
    method: z.enum(toolMethods).describe('HTTP method'),
    url: z.string().describe('With its placeholders'),
    headers: z.record(z.string(), z.string()).describe('Bullets and the last four characters of each value'),
    timeoutSeconds: z.int().describe('How long the server may take to answer'),
    createdAt: instant().describe('When it was created'),
    updatedAt: instant().describe('When it was last changed'),
  })
  .meta({
    id: 'Tool',
    examples: [
      {
        toolId: 'tool_01939a7c-56b1-7cc4-9a0e-2f6d3b8c1e55',
        ...example,
        headers: { Authorization: '••••71d0' },
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

export const ToolParams = z.strictObject({ toolId: z.string().describe('`tool_…`') });

// What the API stored, read as such.
const Stored = z.object({
  parameters: ownData(),
  method: z.enum(toolMethods),
  headers: z.record(z.string(), z.string()),
});

/** A tool, as every operation answers it. */
export function toolBody(tool: ToolRow): z.output<typeof Tool> {
  const { parameters, method, headers } = Stored.parse(tool);
  return {
    toolId: tool.id,
    name: tool.name,
    description: tool.description,
    parameters,
    method,
    url: tool.url,
    headers,
    timeoutSeconds: tool.timeout_seconds,
    createdAt: tool.created_at.toISOString(),
    updatedAt: tool.updated_at.toISOString(),
  };
}
