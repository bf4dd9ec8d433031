import { z } from 'zod';
import type { Problem } from '../../domain/errors.js';
import { parseSipAddress } from '../../domain/sip-address.js';
import { mayConnectTo } from '../../platform/ip-address.js';
import { e164, repeatsIn, text } from '../fields.js';
import type { AppDeps } from '../operation.js';
import { valueAt } from '../validation.js';
import { mediaEncryptions, transports } from './schema.js';

const SipRegion = z.string().default('auto').describe('One of the configured regions, or auto');

export const CreatePhoneNumbers = z.strictObject({
  name: text(256).describe('Of the numbers and their gateways'),
  phoneNumbers: z.array(e164()).min(1).max(100).describe("Numbers on the caller's own SIP trunk, E.164"),
  isShared: z
    .boolean()
    .default(true)
    .describe('true: one inbound and one outbound gateway for all the numbers; false: a pair per number'),
  mediaEncryption: z.enum(mediaEncryptions).default('disable'),
  inbound: z.strictObject({ sipRegion: SipRegion }).prefault({}),
  outbound: z.strictObject({
    address: text(260).describe('host or host:port of the trunk, without a scheme'),
    sipRegion: SipRegion,
    transport: z.enum(transports).default('tls'),
    auth: z
      .strictObject({ username: text(256), password: text(256) })
      .optional()
      .describe('Never returned but the username'),
  }),
});
export type CreatePhoneNumbers = z.output<typeof CreatePhoneNumbers>;

function addressProblem(text: string, allowPrivate: boolean): string | null {
  const address = parseSipAddress(text);
  if (address === null) return 'must be host or host:port, without a scheme, such as sip.example.com:5061';
  return mayConnectTo(address.host, { allowPrivate }) ? null : 'must not be a private or reserved address';
}

/** Rules that need the settings, and those between numbers. */
export function createBodyProblems(body: unknown, { env }: AppDeps): Problem[] {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string) => problems.push({ path, code: 'INVALID_VALUE', message });

  const regions = ['auto', ...env.OUTDIAL_REGIONS];
  for (const side of ['inbound', 'outbound']) {
    const region = valueAt(body, [side, 'sipRegion']);
    if (typeof region === 'string' && !regions.includes(region)) {
      wrong(`${side}.sipRegion`, `must be one of: ${regions.join(', ')}`);
    }
  }
  const address = valueAt(body, ['outbound', 'address']);
  if (typeof address === 'string') {
    const problem = addressProblem(address, env.OUTDIAL_ALLOW_PRIVATE_SIP);
    if (problem !== null) wrong('outbound.address', problem);
  }
  const numbers = valueAt(body, ['phoneNumbers']);
  for (const { index, first } of Array.isArray(numbers) ? repeatsIn(numbers) : []) {
    wrong(`phoneNumbers[${index}]`, `is the same as phoneNumbers[${first}]`);
  }
  return problems;
}
