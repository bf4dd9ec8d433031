import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../platform/version.js';
import { type Client, clientOf } from '../client/client.js';
import type { ServiceFlags } from '../client/connection.js';
import { CommandFailed, wrongUsage } from '../client/exit-codes.js';
import { refused } from '../client/refusal.js';
import { answerOf, type Arguments } from './answer.js';
import { Confirmations } from './confirmations.js';
import { dryRunOf } from './dry-run.js';
import type { Kind } from './kinds.js';
import { confirmationField, type Tool, toolsOf } from './tools.js';

export interface McpFlags extends ServiceFlags {
  readonly allowChanges?: true;
  readonly allowDialing?: true;
}

const instructions =
  'Outdial calls people by telephone. Numbers are E.164. Before anything that dials, show the person what the dry run says and ask. ' +
  'Ids begin with what they name: batch_, call_, agt_, rule_, gwo_. Lists have pages: page and perPage.';

/** `outdial mcp`: the operations of the API as tools of the Model Context Protocol, over standard input and output. */
export async function runMcp(flags: McpFlags): Promise<void> {
  const client = await clientOf(flags);
  const all = toolsOf(await documentOf(client));
  const kinds: readonly Kind[] = [
    'reads',
    ...(flags.allowChanges === true ? (['changes'] as const) : []),
    ...(flags.allowDialing === true ? (['dials'] as const) : []),
  ];
  const confirmations = new Confirmations();
  // Its own registration of tools takes zod; these have the JSON Schema of the document.
  const { server } = new McpServer({ name: 'outdial', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: all.filter(({ kind }) => kinds.includes(kind)).map(listed),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const tool = all.find(({ name }) => name === params.name);
    if (tool === undefined) return failed(`There is no tool ${params.name}.`);
    if (!kinds.includes(tool.kind)) {
      const flag = tool.kind === 'dials' ? '--allow-dialing' : '--allow-changes';
      return failed(`${tool.name} is not allowed here: \`outdial mcp\` was started without ${flag}.`);
    }
    try {
      const said = await called(client, all, tool, params.arguments ?? {}, confirmations);
      return { content: [{ type: 'text', text: said }] };
    } catch (error) {
      if (error instanceof CommandFailed) return failed(error.message);
      throw error;
    }
  });
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

async function called(
  client: Client,
  tools: readonly Tool[],
  tool: Tool,
  given: Arguments,
  confirmations: Confirmations,
): Promise<string> {
  if (tool.kind !== 'dials') return answerOf(client, tool, given);
  const { [confirmationField]: confirmation, ...args } = given;
  if (confirmation === undefined) {
    const dryRun = await dryRunOf(client, tools, tool, args);
    return JSON.stringify({ dryRun, confirmation: confirmations.give(tool, args), nothingHappenedYet: true }, null, 2);
  }
  const problem = confirmations.problemOf(confirmation, tool, args);
  if (problem !== undefined) throw wrongUsage(problem);
  return answerOf(client, tool, args, typeof confirmation === 'string' ? confirmation : undefined);
}

const listed = ({ name, title, description, inputSchema, kind }: Tool) => ({
  ...{ name, title, description, inputSchema },
  annotations: {
    title,
    readOnlyHint: kind === 'reads',
    destructiveHint: kind !== 'reads',
    openWorldHint: kind === 'dials',
  },
});

/** Of the service itself, so that the tools are those of its version. */
async function documentOf(client: Client): Promise<unknown> {
  const answer = await client.send('GET', '/openapi.json');
  if (!answer.ok) throw await refused(answer, client.connection.url);
  return answer.json();
}
