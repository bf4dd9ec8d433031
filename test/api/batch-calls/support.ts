import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { announceAgentWorker } from '../../../db/queries/agents/workers.js';
import { isFinished, type BatchStatus, type CallCounts } from '../../../domain/batch/batch-call.js';
import { formatId } from '../../../domain/ids.js';
import { anAccount, api, here, type RequestOptions } from '../support.js';

let numbers = 0;
const nextNumber = () => `+9198770${String(++numbers).padStart(5, '0')}`;

/** A number with an outbound gateway and one outbound rule of an active agent, and an agent worker: what a batch needs. */
export interface Route {
  readonly phoneNumber: string;
  readonly phoneNumberId: string;
  readonly gatewayId: string;
  readonly ruleId: string;
  readonly agentId: string;
}

export interface RouteOptions {
  readonly accountId?: string;
  readonly gateway?: boolean;
  readonly rule?: boolean;
  readonly agentStatus?: 'active' | 'inactive';
  readonly room?: 'static' | 'dynamic';
}

export async function aRule(
  numberId: string,
  phoneNumber: string,
  { accountId = here().me.account.id, agentStatus = 'active', room = 'dynamic' }: RouteOptions = {},
  type: 'inbound' | 'outbound' = 'outbound',
): Promise<{ ruleId: string; agentId: string }> {
  const { db } = here().database;
  const agentId = formatId('agent', uuidv7());
  const ruleId = formatId('rule', uuidv7());
  await sql`insert into agents (id, account_id, name, status, latest_version_id, deployment_id) values
    (${agentId}, ${accountId}, 'Agent', ${agentStatus}, 'ver', ${agentStatus === 'active' ? 'dep' : null})`.execute(db);
  await sql`insert into routing_rules (id, account_id, type, name, agent_id, room_type, room_id) values
    (${ruleId}, ${accountId}, ${type}, 'Rule', ${agentId}, ${room}, ${room === 'static' ? 'hall' : null})`.execute(db);
  await sql`insert into rule_numbers (rule_id, number_id, account_id, type, e164, position) values
    (${ruleId}, ${numberId}, ${accountId}, ${type}, ${phoneNumber}, 0)`.execute(db);
  return { ruleId, agentId };
}

export async function aRoute(options: RouteOptions = {}): Promise<Route> {
  const { accountId = here().me.account.id, gateway = true, rule = true } = options;
  const { db } = here().database;
  await announceAgentWorker(db, { id: 'worker', region: 'default', slots: 4, state: 'ready', used: 0 });
  const phoneNumber = nextNumber();
  const phoneNumberId = formatId('number', uuidv7());
  const gatewayId = formatId('outboundGateway', uuidv7());
  await sql`insert into phone_numbers (id, account_id, e164, name) values
    (${phoneNumberId}, ${accountId}, ${phoneNumber}, 'Number')`.execute(db);
  await sql`insert into gateways (id, account_id, direction, name, sip_region, address, transport) values
    (${gatewayId}, ${accountId}, 'outbound', 'Gateway', 'default', 'sip.example.com', 'tls')`.execute(db);
  await sql`insert into gateway_admission (gateway_id, account_id) values (${gatewayId}, ${accountId})`.execute(db);
  if (gateway) {
    await sql`insert into number_gateways (number_id, direction, gateway_id, account_id, e164) values
      (${phoneNumberId}, 'outbound', ${gatewayId}, ${accountId}, ${phoneNumber})`.execute(db);
  }
  const found = rule ? await aRule(phoneNumberId, phoneNumber, options) : { ruleId: '', agentId: '' };
  return { phoneNumber, phoneNumberId, gatewayId, ...found };
}

export interface Part {
  readonly name: string;
  readonly value: string | Buffer;
  readonly filename?: string;
  readonly type?: string;
}

export const csv = (text = 'phone_number\n+919877012345\n', filename = 'people.csv'): Part => ({
  name: 'file',
  value: text,
  filename,
  type: 'text/csv',
});

/** Text parts from an object; values that are no text are sent as JSON. */
export const fields = (values: Readonly<Record<string, unknown>>): Part[] =>
  Object.entries(values).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));

/** A form as it goes over the wire, with a boundary of its own. */
export function multipart(parts: readonly Part[]): { body: Buffer; contentType: string } {
  const boundary = `----test-${randomUUID()}`;
  const pieces = parts.flatMap(({ name, value, filename, type }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
        `${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** POST /v1/batch-calls with these parts. */
export function send(parts: readonly Part[], options: RequestOptions = {}) {
  const { body, contentType } = multipart(parts);
  return api.post('/v1/batch-calls', body, {
    ...options,
    headers: { 'content-type': contentType, ...options.headers },
  });
}

/** How much of everything there is: what must not change when a request is refused. */
export async function stored(): Promise<unknown> {
  const { rows } = await sql`select (select count(*)::int from batches) as batches,
    (select count(*)::int from batch_files) as files, (select count(*)::int from outbox) as outbox,
    (select count(*)::int from audit_log) as audit, (select count(*)::int from idempotency_keys) as keys`.execute(
    here().database.db,
  );
  return rows[0];
}

export interface BatchOptions {
  readonly status?: BatchStatus;
  readonly name?: string;
  readonly description?: string;
  readonly accountId?: string;
  readonly createdAt?: Date;
  readonly counts?: Partial<CallCounts>;
  readonly paused?: string;
  readonly cancelMode?: 'graceful' | 'immediate';
  readonly rejected?: number;
  readonly route?: Route;
}

/** A batch in any state, put straight into the database. */
export async function aBatch(options: BatchOptions = {}): Promise<{ batchId: string; route: Route }> {
  const { status = 'running', accountId = here().me.account.id, createdAt = new Date(), counts = {} } = options;
  const { db } = here().database;
  const route = options.route ?? (await aRoute({ accountId }));
  const batchId = formatId('batch', uuidv7());
  const cancelMode = options.cancelMode ?? (status === 'cancelling' ? 'graceful' : null);
  await sql`insert into batches (id, account_id, name, description, number_id, from_number, rule_id, gateway_id, agent_id,
      status, timing, timezone, starts_at, created_at, updated_at, completed_at, cancel_mode, paused, paused_reason,
      parse_error, records_uploaded, records_rejected)
    values (${batchId}, ${accountId}, ${options.name ?? 'Batch'}, ${options.description ?? null}, ${route.phoneNumberId},
      ${route.phoneNumber}, ${route.ruleId}, ${route.gatewayId}, ${route.agentId}, ${status}, 'immediate',
      'Asia/Calcutta', ${createdAt}, ${createdAt}, ${createdAt}, ${isFinished(status) ? createdAt : null}, ${cancelMode},
      ${options.paused !== undefined}, ${options.paused ?? null},
      ${status === 'parse_failed' ? 'The file has no rows.' : null},
      ${Object.values(counts).reduce((sum, count) => sum + count, 0)}, ${options.rejected ?? 0})`.execute(db);
  await sql`insert into batch_files (key, batch_id, account_id, filename, extension, sha256, byte_size, bytes)
    values (${formatId('file', uuidv7())}, ${batchId}, ${accountId}, 'people.csv', 'csv', '', 0, '')`.execute(db);
  if (status !== 'parsing' && status !== 'parse_failed') {
    const of = (name: keyof CallCounts) => counts[name] ?? 0;
    await sql`insert into batch_counters (batch_id, pending, dialing, in_progress, retrying, answered, failed,
        not_answered, rejected, missed, abandoned, cancelled)
      values (${batchId}, ${of('pending')}, ${of('dialing')}, ${of('in-progress')}, ${of('retrying')}, ${of('answered')},
        ${of('failed')}, ${of('not-answered')}, ${of('rejected')}, ${of('missed')}, ${of('abandoned')},
        ${of('cancelled')})`.execute(db);
  }
  return { batchId, route };
}

export const outboxOf = async (batchId: string) => {
  const { rows } = await sql<{ kind: string; name: string; input: unknown }>`
    select kind, name, input from outbox where workflow_id = ${batchId} order by id`.execute(here().database.db);
  return rows;
};

/** Another account's batch, an unknown one and what is no id: all 404 in the same words. */
export async function findsNoneOf(
  ask: (batchUrl: string) => Promise<{ status: number; body: unknown }>,
): Promise<void> {
  const { account } = await anAccount();
  const theirs = await aBatch({ accountId: account.id, status: 'completed' });
  for (const batchId of [theirs.batchId, 'batch_019a0000-0000-7000-8000-000000000000', 'nothing']) {
    const { status, body } = await ask(`/v1/batch-calls/${batchId}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: 'Batch call not found' } });
  }
}
