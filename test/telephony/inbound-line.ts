import { SipClient } from 'livekit-server-sdk';
import { expect } from 'vitest';
import type { Answer, Client } from '../e2e/client.js';
import { type CallDetail, patience } from './customer.js';
import type { TelephonyStack } from './stack.js';

/** A number that takes calls, as the customer has set it up. */
export interface InboundNumber {
  readonly number: string;
  readonly gatewayId: string;
  readonly ruleId: string;
}

async function post(client: Client, path: string, body: object): Promise<Answer['body']> {
  const answer = await client.request('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
  return answer.body;
}

/** What a LiveKit keeps of a number. */
export async function keptOf({ liveKit }: TelephonyStack, number: string) {
  const sip = new SipClient(liveKit.url, liveKit.apiKey, liveKit.apiSecret);
  const [trunks, rules] = await Promise.all([sip.listSipInboundTrunk(), sip.listSipDispatchRule()]);
  return {
    sip,
    trunk: trunks.find(({ numbers }) => numbers.includes(number)),
    rule: rules.find(({ name }) => name.endsWith(` ${number}`)),
  };
}

/** The number's trunk and rule are in LiveKit. */
export const isMirrored = (stack: TelephonyStack, number: string): Promise<void> =>
  expect
    .poll(async () => {
      const { trunk, rule } = await keptOf(stack, number);
      return [trunk?.numbers, rule?.trunkIds];
    }, patience)
    .toEqual([[number], [expect.any(String)]]);

let opened = 0;

/**
 * Opens a number to callers, by the API alone: its inbound gateway and its rule, which without an agent let callers ring.
 * Resolves when LiveKit knows it.
 */
export async function openNumber(
  client: Client,
  stack: TelephonyStack,
  { gateway, rule = {} }: { readonly gateway: object; readonly rule?: object },
): Promise<InboundNumber> {
  const number = `+1555040${String(++opened).padStart(4, '0')}`;
  const made = await post(client, '/v2/sip/inbound-gateways', { name: `In ${number}`, numbers: [number], ...gateway });
  const name = { name: `In ${number}`, type: 'inbound', phoneNumbers: [number] };
  const { id } = await post(client, '/v2/sip/routing-rule', { ...name, ...rule });
  await isMirrored(stack, number);
  return { number, gatewayId: String(made.id), ruleId: String(id) };
}

/** A call that came in, as the list has it. */
export interface InboundCallShown extends CallDetail {
  readonly id: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
}

/** The calls of a number, in full, oldest first. */
export async function callsOf(client: Client, { ruleId }: InboundNumber): Promise<readonly InboundCallShown[]> {
  const { body } = await client.request('GET', `/v2/sip/call?ruleId=${ruleId}`);
  const listed = (body.data as { id: string }[]).toReversed();
  const answers = await Promise.all(listed.map(({ id }) => client.request('GET', `/v2/sip/call/${id}`)));
  return answers.map((answer) => answer.body.data as InboundCallShown);
}

export const wordsOf = (call: CallDetail | undefined): readonly string[] =>
  call?.timelog.map(({ status }) => status) ?? [];

/** The one call of a number becomes like this. @returns it */
export async function inboundBecomes(
  client: Client,
  line: InboundNumber,
  expected: Partial<Record<keyof InboundCallShown, unknown>>,
): Promise<InboundCallShown> {
  await expect.poll(() => callsOf(client, line), patience).toMatchObject([expected]);
  const [call] = await callsOf(client, line);
  if (call === undefined) throw new Error('The call is gone.');
  return call;
}
