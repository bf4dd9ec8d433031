import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../db/client.js';
import type { Batches } from '../../db/types.js';
import { formatId, type IdKind } from '../../domain/ids.js';

const newId = (kind: IdKind): string => formatId(kind, uuidv7());

/** An account with everything that a batch call needs. */
export interface Tenant {
  readonly accountId: string;
  readonly agentId: string;
  readonly versionId: string;
  readonly numberId: string;
  readonly number: string;
  readonly gatewayId: string;
  readonly ruleId: string;
}

/** @param sealedSecret the account's webhook secret as stored */
export async function aTenant(db: Db, sealedSecret = (_accountId: string): string => 'sealed'): Promise<Tenant> {
  const tenant: Tenant = {
    accountId: newId('account'),
    agentId: newId('agent'),
    versionId: newId('version'),
    numberId: newId('number'),
    number: `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`,
    gatewayId: newId('outboundGateway'),
    ruleId: newId('rule'),
  };
  const { accountId, agentId, versionId, numberId, number, gatewayId, ruleId } = tenant;
  const deploymentId = newId('deployment');
  const owned = { account_id: accountId };
  await db
    .insertInto('accounts')
    .values({ id: accountId, name: 'A tenant', webhook_secret_sealed: sealedSecret(accountId) })
    .execute();
  await db
    .insertInto('api_keys')
    .values({ id: newId('key'), ...owned, secret_sealed: 'sealed' })
    .execute();
  await db
    .insertInto('agents')
    .values({
      id: agentId,
      ...owned,
      name: 'Ann',
      latest_version_id: versionId,
      status: 'active',
      deployment_id: deploymentId,
    })
    .execute();
  await db
    .insertInto('agent_versions')
    .values({
      id: versionId,
      ...owned,
      agent_id: agentId,
      number: 1,
      name: 'first',
      config: JSON.stringify({ name: 'Ann', languages: { english: { prompt: 'Be kind.' } } }),
    })
    .execute();
  await db
    .insertInto('deployments')
    .values({
      id: deploymentId,
      ...owned,
      agent_id: agentId,
      version_id: versionId,
      region: 'default',
      status: 'live',
    })
    .execute();
  await db
    .insertInto('phone_numbers')
    .values({ id: numberId, ...owned, e164: number, name: 'Main' })
    .execute();
  await db
    .insertInto('gateways')
    .values({
      id: gatewayId,
      ...owned,
      direction: 'outbound',
      name: 'Trunk',
      sip_region: 'default',
      address: 'sip.example.com',
      transport: 'tls',
    })
    .execute();
  await db
    .insertInto('gateway_admission')
    .values({ gateway_id: gatewayId, ...owned })
    .execute();
  await db
    .insertInto('number_gateways')
    .values({ number_id: numberId, direction: 'outbound', gateway_id: gatewayId, ...owned, e164: number })
    .execute();
  await db
    .insertInto('routing_rules')
    .values({ id: ruleId, ...owned, type: 'outbound', name: 'Out', agent_id: agentId })
    .execute();
  await db
    .insertInto('rule_numbers')
    .values({ rule_id: ruleId, number_id: numberId, ...owned, type: 'outbound', e164: number, position: 0 })
    .execute();
  return tenant;
}

/** A CSV file of this many different numbers. */
export const csvOf = (count: number): string =>
  ['phone_number', ...Array.from({ length: count }, (_, index) => `+1202555${String(1000 + index)}`)].join('\n');

/** A batch that has been uploaded and not parsed, as the API leaves it. */
export async function aBatch(
  db: Db,
  tenant: Tenant,
  csv: string,
  fields: Partial<Insertable<Batches>> = {},
): Promise<string> {
  const batchId = newId('batch');
  await db
    .insertInto('batches')
    .values({
      id: batchId,
      account_id: tenant.accountId,
      name: 'Reminders',
      number_id: tenant.numberId,
      from_number: tenant.number,
      rule_id: tenant.ruleId,
      gateway_id: tenant.gatewayId,
      agent_id: tenant.agentId,
      timing: 'immediate',
      timezone: 'Asia/Calcutta',
      starts_at: new Date(),
      ...fields,
    })
    .execute();
  const bytes = Buffer.from(csv);
  await db
    .insertInto('batch_files')
    .values({
      key: newId('file'),
      batch_id: batchId,
      account_id: tenant.accountId,
      filename: 'people.csv',
      extension: 'csv',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      byte_size: bytes.length,
      bytes,
    })
    .execute();
  return batchId;
}

/** A scheduled batch's fields; the start is an instant. */
export const startingAt = (startsAt: Date): Partial<Insertable<Batches>> => ({
  timing: 'scheduled',
  scheduled_date: startsAt.toISOString().slice(0, 10),
  scheduled_time: startsAt.toISOString().slice(11, 16),
  timezone: 'UTC',
  starts_at: startsAt,
});
