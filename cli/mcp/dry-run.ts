import { z } from 'zod';
import type { Client } from '../client/client.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';
import { fieldOf } from '../client/output.js';
import type { Arguments } from './answer.js';
import type { Tool } from './tools.js';

const Report = z.looseObject({ valid: z.boolean() });
const Call = z.looseObject({ sipCallTo: z.string(), sipCallFrom: z.string(), routingRuleId: z.string().optional() });

/**
 * What a dialing tool would do, as far as the service can say. It changes nothing.
 *
 * @throws CommandFailed if it could call nobody, or is refused
 */
export async function dryRunOf(client: Client, tool: Tool, args: Arguments): Promise<unknown> {
  if (tool.operationId === 'batchCalls.create') return validated(client, args.body);
  if (tool.operationId === 'calls.create') {
    const call = Call.safeParse(args.body);
    if (!call.success) throw new CommandFailed(exitCodes.usage, 'body: sipCallTo and sipCallFrom are required.');
    const { sipCallTo, sipCallFrom, routingRuleId } = call.data;
    return validated(client, {
      ...{ name: 'A call', phoneNumber: sipCallFrom, recipients: [{ phoneNumber: sipCallTo }] },
      ...(routingRuleId === undefined ? {} : { routingRuleId }),
    });
  }
  const batchId = args.batchId;
  if (typeof batchId !== 'string') return { would: tool.title };
  const batch = await client.ask('batchCalls.get', { path: { batchId } });
  const told = ['batchId', 'batchName', 'status', 'paused', 'counts', 'waitingFor', 'phoneNumber', 'callingWindow'];
  return { would: tool.title, batch: Object.fromEntries(told.map((name) => [name, fieldOf(batch, name)])) };
}

async function validated(client: Client, json: unknown): Promise<unknown> {
  const report = Report.parse(await client.ask('batchCalls.validate', { json }));
  if (report.valid) return report;
  throw new CommandFailed(exitCodes.failed, `Nobody could be called:\n${JSON.stringify(report, null, 2)}`);
}
