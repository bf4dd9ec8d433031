import { z } from 'zod';
import type { Problem } from '../../domain/errors.js';
import { e164, repeatsIn, text } from '../fields.js';
import { Credentials } from '../gateways/fields.js';
import { addressProblem, regionProblem } from '../gateways/problems.js';
import { mediaEncryptions, transports } from '../gateways/schema.js';
import type { AppDeps } from '../operation.js';
import { valueAt } from '../validation.js';

const sipRegion = () => z.string().default('auto').describe('One of the configured regions, or auto');

export const CreatePhoneNumbers = z
  .strictObject({
    name: text(256).describe('Of the numbers and their gateways'),
    phoneNumbers: z.array(e164()).min(1).max(100).describe("Numbers on the caller's own SIP trunk, E.164"),
    isShared: z
      .boolean()
      .default(true)
      .describe('true: one inbound and one outbound gateway for all the numbers; false: a pair per number'),
    mediaEncryption: z.enum(mediaEncryptions).default('disable').describe('enable: SRTP is required'),
    inbound: z.strictObject({ sipRegion: sipRegion() }).prefault({}).describe('Where calls come in'),
    outbound: z
      .strictObject({
        address: text(260).describe('host or host:port of the trunk, without a scheme'),
        sipRegion: sipRegion(),
        transport: z.enum(transports).default('tls').describe('How the trunk is spoken to'),
        auth: Credentials.optional().describe('Never returned but the username'),
      })
      .describe('How calls go out'),
  })
  .meta({
    id: 'CreatePhoneNumbers',
    examples: [
      {
        name: 'Reminders',
        phoneNumbers: ['+14155550100'],
        isShared: true,
        mediaEncryption: 'disable',
        inbound: { sipRegion: 'auto' },
        outbound: {
          address: 'sip.carrier.example:5061',
          sipRegion: 'auto',
          transport: 'tls',
          auth: { username: 'acme', password: 'a long secret' },
        },
      },
    ],
  });
export type CreatePhoneNumbers = z.output<typeof CreatePhoneNumbers>;

/** Rules that need the settings, and those between numbers. */
export function createBodyProblems(body: unknown, deps: AppDeps): Problem[] {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string) => problems.push({ path, code: 'INVALID_VALUE', message });
  const check = (path: readonly string[], problemOf: (text: string, deps: AppDeps) => string | null) => {
    const value = valueAt(body, path);
    const problem = typeof value === 'string' ? problemOf(value, deps) : null;
    if (problem !== null) wrong(path.join('.'), problem);
  };
  check(['inbound', 'sipRegion'], regionProblem);
  check(['outbound', 'sipRegion'], regionProblem);
  check(['outbound', 'address'], addressProblem);
  const numbers = valueAt(body, ['phoneNumbers']);
  for (const { index, first } of Array.isArray(numbers) ? repeatsIn(numbers) : []) {
    wrong(`phoneNumbers[${index}]`, `is the same as phoneNumbers[${first}]`);
  }
  return problems;
}
