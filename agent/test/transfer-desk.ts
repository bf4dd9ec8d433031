import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Db } from '../../db/client.js';
import { takeLease } from '../../dialer/lease.js';
import { createWarmTransfers } from '../../dialer/warm-transfers.js';
import { createLogger } from '../../platform/logger.js';
import { createLiveKitProvider } from '../../telephony/livekit/driver.js';
import { enterAsCallee, type TestCallee } from './callee.js';
import type { AgentTestEnv, RingingCall } from './test-env.js';

/** What the telephone of a colleague does when it is called. */
export type Colleague = 'picks up' | 'is busy' | 'rings';

export const desk = '+15550800001';

interface DialedTarget {
  readonly to: string;
  readonly from: string;
  readonly telephone: TestCallee;
}

/** The colleague's side, and the dialer that calls it. */
export interface TransferDesk {
  /** What the next colleagues do. */
  colleague: Colleague;
  /** INVITEs that would have left. */
  readonly invites: string[];
  /** The telephones that were called, in order. */
  readonly telephones: DialedTarget[];
  /** The dialer holds this call from now on. */
  adopt(call: RingingCall): Promise<void>;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What `orderColumns` and the guardrails read. */
async function connect(db: Db, accountId: string, agentId: string): Promise<void> {
  await db
    .insertInto('phone_numbers')
    .values({ id: 'num_test', account_id: accountId, e164: '+15550100001', name: 'Line' })
    .execute();
  await db
    .insertInto('gateways')
    .values({
      ...{ id: 'gwo_test', account_id: accountId, direction: 'outbound', name: 'Trunk', sip_region: 'default' },
      ...{ address: 'sip.example.com', transport: 'tls', calls_per_second: 10, max_concurrent_calls: 10 },
    })
    .execute();
  await db.insertInto('gateway_admission').values({ gateway_id: 'gwo_test', account_id: accountId }).execute();
  await db
    .insertInto('routing_rules')
    .values({ id: 'rule_test', account_id: accountId, type: 'outbound', name: 'Rule', agent_id: agentId })
    .execute();
}

/**
 * The dialer's warm transfers with the driver of LiveKit, against the real LiveKit of the environment. LiveKit SIP alone is played: who
 * is called enters the room that CreateSIPParticipant names as a telephone with real sound.
 */
export async function openTransferDesk(testEnv: AgentTestEnv): Promise<TransferDesk> {
  const { liveKit, accountId } = testEnv;
  const { db, pool } = testEnv.database;
  await connect(db, accountId, await testEnv.anAgent());

  async function dial(text: string, response: ServerResponse): Promise<void> {
    const order = JSON.parse(text) as Readonly<
      Record<'sipCallTo' | 'sipNumber' | 'roomName' | 'participantIdentity', string>
    >;
    const { participantIdentity: identity, roomName, sipCallTo: to, sipNumber: from } = order;
    made.invites.push(to);
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (made.colleague === 'is busy') {
      const meta = { sip_status_code: '486', sip_status: 'Busy Here' };
      answer(429, { code: 'resource_exhausted', msg: 'sip status 486', meta });
      return;
    }
    const telephone = await enterAsCallee(liveKit, roomName, identity);
    made.telephones.push({ to, from, telephone });
    if (made.colleague === 'rings') {
      await telephone.gone;
      answer(408, { code: 'canceled', msg: 'sip request timed out' });
      return;
    }
    await telephone.answer();
    answer(200, { participantId: `PA_${identity}`, participantIdentity: identity, sipCallId: `SCL_${identity}` });
  }

  const edge = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      if (request.url?.endsWith('SIP/CreateSIPParticipant') === true) return dial(body.toString('utf8'), response);
      const answer = await fetch(`${liveKit.url}${request.url ?? ''}`, {
        method: 'POST',
        headers: {
          'content-type': request.headers['content-type'] ?? 'application/json',
          authorization: request.headers.authorization ?? '',
        },
        body,
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
  const address = edge.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  const nothing = { ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null };
  const provider = createLiveKitProvider({
    regions: [{ ...liveKit, name: 'default', url: `http://127.0.0.1:${port}` }],
    records: { of: () => Promise.resolve(nothing), onRoomEvent: () => () => undefined },
    agents: { reserve: () => Promise.resolve() },
  });
  const lease = await takeLease(db, 600);
  const logger = createLogger('dialer', process.env.OUTDIAL_TEST_LOG ?? 'silent');
  const dialer = createWarmTransfers({
    db,
    provider,
    processId: () => lease.processId,
    openSecret: (sealed) => sealed,
    logger,
  });
  let rounds = Promise.resolve();
  const timer = setInterval(() => {
    rounds = rounds
      .then(() => dialer.take())
      .then(() => dialer.sweep())
      .catch((error: unknown) => logger.error({ err: error }, 'a round failed'));
  }, 500);

  const made: TransferDesk = {
    colleague: 'picks up',
    invites: [],
    telephones: [],
    async adopt({ id }) {
      await pool.query('update call_attempts set claimed_by = $1 where call_id = $2', [lease.processId, id]);
    },
    async close() {
      clearInterval(timer);
      await rounds;
      dialer.abandon();
      for (const { telephone } of made.telephones) await telephone.hangUp();
      await provider.close();
      await lease.end();
      edge.closeAllConnections();
      await new Promise((resolve) => edge.close(resolve));
    },
  };
  return made;
}
