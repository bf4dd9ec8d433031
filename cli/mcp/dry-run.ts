import { z } from 'zod';
import type { Client } from '../client/client.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';
import { fieldOf } from '../client/output.js';
import { refused } from '../client/refusal.js';
import { addressOf, type Arguments, pathWith } from './answer.js';
import type { Tool } from './tools.js';

const Report = z.looseObject({ valid: z.boolean() });
const Call = z.looseObject({
  sipCallTo: z.string(),
  sipCallFrom: z.string(),
  routingRuleId: z.string().optional(),
  metadata: z.unknown().optional(),
});

/**
 * What a dialing tool would do, as far as the service can say. It changes nothing.
 *
 * @throws CommandFailed if it could call nobody, or is refused
 */
export async function dryRunOf(client: Client, tools: readonly Tool[], tool: Tool, args: Arguments): Promise<unknown> {
  addressOf(tool, args);
  if (tool.operationId === 'batchCalls.create') return validated(client, args.body);
  if (tool.operationId === 'calls.create') {
    const call = Call.safeParse(args.body);
    if (!call.success) throw new CommandFailed(exitCodes.usage, 'body: sipCallTo and sipCallFrom are required.');
    const { sipCallTo, sipCallFrom, routingRuleId, metadata } = call.data;
    return validated(client, {
      ...{ name: 'A call', phoneNumber: sipCallFrom, recipients: [{ phoneNumber: sipCallTo, metadata }] },
      ...(routingRuleId === undefined ? {} : { routingRuleId }),
    });
  }
  const subject = subjectOf(tools, tool);
  if (subject === undefined) return { would: tool.title };
  const answer = await client.send('GET', pathWith(subject.path, args));
  if (!answer.ok) throw await refused(answer, client.connection.url);
  const found = z.record(z.string(), z.unknown()).parse(await answer.json());
  if (subject.operationId !== 'batchCalls.get') return { would: tool.title, of: found };
  const told = ['batchId', 'batchName', 'status', 'paused', 'counts', 'waitingFor', 'phoneNumber', 'callingWindow'];
  return { would: tool.title, batch: Object.fromEntries(told.map((name) => [name, fieldOf(found, name)])) };
}

/** The operation that reads what another one is about: of `…/campaigns/{campaignId}/run` it is the GET of `…/campaigns/{campaignId}`. */
const subjectOf = (tools: readonly Tool[], tool: Tool): Tool | undefined =>
  tools
    .filter(({ method, path }) => method === 'GET' && path.endsWith('}') && `${tool.path}/`.startsWith(`${path}/`))
    .reduce<Tool | undefined>(
      (longest, each) => (each.path.length > (longest?.path.length ?? 0) ? each : longest),
      undefined,
    );

async function validated(client: Client, json: unknown): Promise<unknown> {
  const report = Report.parse(await client.ask('batchCalls.validate', { json }));
  if (report.valid) return report;
  throw new CommandFailed(exitCodes.failed, `Nobody could be called:\n${JSON.stringify(report, null, 2)}`);
}
