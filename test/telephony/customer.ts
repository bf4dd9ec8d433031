import { expect } from 'vitest';
import type { Answer, Client } from '../e2e/client.js';
import { until } from '../e2e/running-service.js';
import type { Carrier } from './carrier.js';

/** What a customer has connected: enough to make a call or a batch. */
export interface Line {
  readonly phoneNumber: string;
  readonly agentId: string;
}

/** Real time on a busy machine. */
export const patience = { timeout: 60_000, interval: 100 };

async function post(client: Client, path: string, body: object): Promise<Answer['body']> {
  const answer = await client.request('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** An agent that is deployed, which waits for the agent worker. Arguments as `connectLine` takes them. */
export async function deployAgent(
  client: Client,
  name: string,
  language: object,
  config: object = {},
): Promise<string> {
  const languages = { english: { prompt: 'Remind {{name}} of the appointment.', ...language } };
  const made = await post(client, '/v1/agents', { name, languages, ...config });
  const agentId = String(made.agentId);
  const status = async () => (await client.request('GET', `/v1/agents/${agentId}`)).body.status;
  // Made before the worker was warm, it is deployed as soon as one is.
  if ((await status()) !== 'active') await post(client, `/v1/agents/${agentId}/deploy`, {});
  await until(async () => (await status()) === 'active');
  return agentId;
}

let connected = 0;

/**
 * An agent that is deployed, which waits for the agent worker, and a number of its own whose gateway leads to the carrier.
 *
 * @param language block of the only language, without models: all are the stand-ins
 * @param gateway settings of the gateway
 */
export async function connectLine(
  client: Client,
  carrier: Pick<Carrier, 'address'>,
  language: object = {},
  gateway: object = {},
  config: object = {},
): Promise<Line> {
  const phoneNumber = `+1555010${String(++connected).padStart(4, '0')}`;
  const agentId = await deployAgent(client, `Agent of ${phoneNumber}`, language, config);
  const { data } = await post(client, '/v2/sip/phone-numbers', {
    ...{ name: `Line ${phoneNumber}`, phoneNumbers: [phoneNumber] },
    outbound: { address: carrier.address, transport: 'udp' },
  });
  const [made] = data as { outbound: { id: string } }[];
  const changed = await client.request('PATCH', `/v2/sip/phone-numbers/gateways/${made?.outbound.id}`, {
    ...{ callsPerSecond: 5, ...gateway },
  });
  expect(changed.status).toBe(200);
  await post(client, '/v2/sip/routing-rule', {
    ...{ name: `Out ${phoneNumber}`, type: 'outbound', phoneNumbers: [phoneNumber], agentId },
  });
  return { phoneNumber, agentId };
}

/** A call as GET answers it, as far as tests look at it. */
export interface CallDetail {
  readonly status: string;
  readonly reason?: string;
  readonly sipStatusCode?: number;
  readonly duration?: number;
  readonly roomId: string;
  readonly timelog: readonly { readonly status: string; readonly timestamp: string }[];
  readonly attempts: readonly object[];
  readonly transcript?: readonly { readonly speaker: string; readonly text: string; readonly at: string }[];
  readonly summary?: string;
  readonly recordingUrl?: string;
}

export async function callTo(client: Client, line: Line, to: string, metadata: object = {}): Promise<string> {
  const order = { sipCallFrom: line.phoneNumber, sipCallTo: to, metadata };
  const { data } = await post(client, '/v2/sip/call', order);
  return (data as { id: string }).id;
}

export async function callNow(client: Client, callId: string): Promise<CallDetail> {
  const { body } = await client.request('GET', `/v2/sip/call/${callId}`);
  return body.data as CallDetail;
}

export const callBecomes = (client: Client, callId: string, expected: Partial<Record<keyof CallDetail, unknown>>) =>
  expect.poll(() => callNow(client, callId), patience).toMatchObject(expected);

/** When the call became this, as its timelog tells. */
export function momentOf({ timelog }: CallDetail, status: string): number {
  const entry = timelog.find((each) => each.status === status);
  if (entry === undefined) throw new Error(`It never was ${status}: ${JSON.stringify(timelog)}`);
  return Date.parse(entry.timestamp);
}

/** A record of a batch, as far as tests look at it. */
export interface BatchRecord {
  readonly phoneNumber: string;
  readonly status: string;
  readonly callId: string;
  readonly attempts: number;
  readonly sipStatusCode?: number;
  readonly reason?: string;
}

export async function recordsOf(client: Client, batchId: string): Promise<readonly BatchRecord[]> {
  const { body } = await client.request('GET', `/v1/batch-calls/${batchId}/records?perPage=100`);
  return body.data as BatchRecord[];
}

/** A batch of these numbers, begun. @returns its id */
export async function startBatch(
  client: Client,
  line: Line,
  numbers: readonly string[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const content = ['phone_number,name', ...numbers.map((number, index) => `${number},Person ${index}`)].join('\n');
  const made = await client.createBatch(
    { name: 'people.csv', content },
    { name: 'Telephony', phoneNumber: line.phoneNumber, ...fields },
  );
  if (made.status !== 201) throw new Error(JSON.stringify(made));
  return String(made.body.batchId);
}

/** Waits until the batch is completed. */
export async function isCompleted(client: Client, batchId: string): Promise<void> {
  await until(async () => (await client.request('GET', `/v1/batch-calls/${batchId}`)).body.status === 'completed');
}
