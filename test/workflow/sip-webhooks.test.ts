import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { announceAttempts } from '../../db/queries/dialer/announce-attempts.js';
import { deleteSipWebhook, updateSipWebhook } from '../../db/queries/telephony/sip-webhooks.js';
import { formatId } from '../../domain/ids.js';
import { createGuardedFetch } from '../../platform/outbound-url.js';
import type { Tenant } from './fixtures.js';
import { shareTestEnv } from './shared-env.js';
import { realTimeTestEnv, testSecretBox, until, type WorkflowTestEnv } from './test-env.js';

const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const events = ['call-started', 'call-ringing', 'call-answered', 'call-hangup', 'call-missed'];

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let testEnv: WorkflowTestEnv;
let tenant: Tenant;
let receiver: Server;
let received: Received[] = [];
/** What the receiver answers, in turn; the last for ever. */
let statuses: number[] = [];
let url = '';

shareTestEnv(
  () => realTimeTestEnv({ fetchOutside: createGuardedFetch({ allowPrivate: true, allowInsecure: true }) }),
  (env, account) => {
    [testEnv, tenant] = [env, account];
  },
  (id) => testSecretBox().seal(secret, secretPlaces.webhookSecret(id)),
);
beforeEach(async () => {
  received = [];
  statuses = [200];
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.statusCode = statuses[Math.min(received.length, statuses.length) - 1] ?? 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/calls`;
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function aWebhook(): Promise<string> {
  const id = formatId('sipWebhook', uuidv7());
  await testEnv.database.db
    .insertInto('sip_webhooks')
    .values({ id, account_id: tenant.accountId, url, events, created_at: new Date(Date.now() - 60_000) })
    .execute();
  return id;
}

const phases = [
  { phase: 'dialing', dialed_at: new Date() },
  { phase: 'ringing', ringing_at: new Date() },
  { phase: 'answered', answered_at: new Date() },
  { phase: 'ended', outcome: 'answered', ended_at: new Date() },
];

/** Moves a call on as the dialer does, one commit for each of these steps. */
async function moveOn(callId: string, steps: readonly (typeof phases)[number][]): Promise<void> {
  for (const step of steps) {
    await testEnv.database.db.transaction().execute(async (tx) => {
      await tx.updateTable('call_attempts').set(step).where('call_id', '=', callId).execute();
      await announceAttempts(tx, [{ callId, attempt: 1 }]);
    });
    testEnv.outbox.kick();
  }
}

async function aCall(): Promise<string> {
  const { accountId, number, ruleId, gatewayId } = tenant;
  const id = uuidv7();
  const parties = { account_id: accountId, to_number: '+12025550123', gateway_id: gatewayId };
  await testEnv.database.db
    .insertInto('calls')
    .values({
      id,
      ...parties,
      from_number: number,
      rule_id: ruleId,
      metadata: JSON.stringify({ name: 'Zoë “1”', note: null }),
    })
    .execute();
  await testEnv.database.db
    .insertInto('call_attempts')
    .values({ call_id: id, number: 1, ...parties, due_at: new Date(), claimed_by: uuidv7(), room: 'room-1' })
    .execute();
  return id;
}

interface Told {
  readonly webhookType: string;
  readonly data: { readonly id: string; readonly status: string; readonly metadata: unknown };
}
const verified = ({ body, headers }: Received): Told =>
  new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  }) as Told;

// shows: sip-webhooks.events, sip-webhooks.signed
test('every event arrives once, verifies with the receiver’s library, and is the payload of its moment', async () => {
  await aWebhook();
  const callId = await aCall();
  await moveOn(callId, phases);
  await until(async () => received.length === 4);
  await testEnv.outbox.settle();

  const told = received.map(verified);
  const byStep = ['call-started', 'call-ringing', 'call-answered', 'call-hangup'];
  expect(told.map(({ webhookType }) => webhookType).toSorted()).toEqual(byStep.toSorted());
  const statusOf = new Map(told.map(({ webhookType, data }) => [webhookType, data.status]));
  expect(byStep.map((event) => statusOf.get(event))).toEqual(['initiated', 'ringing', 'answered', 'ended']);
  expect(told[0]?.data).toMatchObject({ id: formatId('call', callId), metadata: { name: 'Zoë “1”', note: null } });
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
});

// shows: sip-webhooks.signed
test('what was not taken is tried again under the same id, to where it was going', async () => {
  statuses = [500, 200];
  const id = await aWebhook();
  await moveOn(await aCall(), phases.slice(0, 1));
  await until(async () => received.length === 1);
  await updateSipWebhook(testEnv.database.db, tenant.accountId, id, { url: 'http://127.0.0.1:1/elsewhere' });
  await until(async () => received.length === 2);
  const [first, second] = received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
  expect(verified(second!)).toMatchObject({ webhookType: 'call-started' });
});

test('deleting a webhook stops what is waiting for another try', async () => {
  statuses = [500];
  const id = await aWebhook();
  await moveOn(await aCall(), phases.slice(0, 1));
  await until(async () => received.length === 1);
  const [delivery] = await testEnv.database.db.selectFrom('webhook_deliveries').select('id').execute();
  expect(await deleteSipWebhook(testEnv.database.db, tenant.accountId, id)).toBe(true);

  // Its workflow looks again, after the first delay, finds nothing and ends.
  await testEnv.client.workflow.getHandle(delivery!.id).result();
  expect(received).toHaveLength(1);
  expect(await testEnv.database.db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([]);
});
