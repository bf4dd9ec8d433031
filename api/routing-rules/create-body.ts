import { z } from 'zod';
import { isAllowedNumberForm } from '../../domain/allowed-number.js';
import type { Problem } from '../../domain/errors.js';
import { isCidr } from '../../platform/ip-address.js';
import { e164, isLargerThan, ownData, repeatsIn, text } from '../fields.js';
import { customHeaders } from '../sip-headers.js';
import { valueAt } from '../validation.js';
import { headerInclusions, roomPrefixes, roomTypes, ruleTypes } from './schema.js';

const numbers = () => z.array(e164()).max(100);
const flag = () => z.boolean().default(false);

/** Largest metadata of a rule, as of a call. */
const metadataBytes = 16_384;

const allowedNumber = z.string().superRefine((entry, context) => {
  if (isAllowedNumberForm(entry)) return;
  context.addIssue({ code: 'custom', message: 'must be an E.164 number, or a prefix that ends in * such as +91*' });
});
const cidr = z.string().superRefine((entry, context) => {
  if (isCidr(entry)) return;
  context.addIssue({ code: 'custom', message: 'must be an address range in CIDR form, such as 198.51.100.0/24' });
});

export const CreateRoutingRule = z.strictObject({
  name: text(256),
  type: z.enum(ruleTypes).describe('Cannot be changed later'),
  phoneNumbers: numbers().optional().describe('Numbers on the account that the rule is attached to'),
  numbers: numbers().optional().describe('Another name for phoneNumbers'),
  agentId: z.string().optional().describe('Required for an outbound rule'),
  agentMetadata: ownData().default({}).describe('Passed to the agent on every call of the rule; at most 16 KB'),
  room: z
    .strictObject({
      type: z.enum(roomTypes).default('dynamic'),
      prefix: z.enum(roomPrefixes).default('blank'),
      id: z
        .string()
        .regex(/^[\w.:+-]{1,128}$/, { error: 'must be 1 to 128 letters, digits, or any of _ . : + -' })
        .optional()
        .describe('The room itself; static rooms only, and required for them'),
      pin: z
        .string()
        .regex(/^\d{1,32}$/, { error: 'must be 1 to 32 digits' })
        .optional(),
    })
    .prefault({}),
  apiKey: z.string().optional().describe("Public id of one of the account's keys; default: the one that asks"),
  includeHeaders: z.enum(headerInclusions).default('NONE'),
  headers: customHeaders().default({}).describe('SIP headers of the INVITE; outbound rules only'),
  headersToAttributes: z
    .record(z.string(), text(128))
    .default({})
    .describe("SIP header → attribute of the caller's participant; inbound rules only"),
  allowedNumbers: z
    .array(allowedNumber)
    .max(1000)
    .default([])
    .describe('Callers of an inbound rule, callees of an outbound one; empty allows all'),
  allowedIpAddresses: z.array(cidr).max(100).default([]).describe('CIDR; inbound rules only'),
  tags: z.array(text(64)).max(50).default([]),
  recording: flag().describe('Refused where recordings cannot be made'),
  dtmf: flag(),
  noiseCancellation: flag(),
  hidePhoneNumber: flag(),
});
export type CreateRoutingRule = z.output<typeof CreateRoutingRule>;

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Rules between the fields. */
export function createBodyProblems(body: unknown): Problem[] {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string, code = 'INVALID_VALUE') => problems.push({ path, code, message });
  const at = (...path: string[]) => valueAt(body, path);

  for (const field of ['phoneNumbers', 'numbers']) {
    const list = at(field);
    for (const { index, first } of Array.isArray(list) ? repeatsIn(list) : []) {
      wrong(`${field}[${index}]`, `is the same as ${field}[${first}]`);
    }
  }
  if (at('phoneNumbers') !== undefined && at('numbers') !== undefined) {
    if (JSON.stringify(at('phoneNumbers')) !== JSON.stringify(at('numbers'))) {
      wrong('numbers', 'is another name for phoneNumbers and must not differ from it');
    }
  }
  const type = at('type');
  if (type === 'outbound') {
    if (at('agentId') === undefined) wrong('agentId', 'is required for an outbound rule', 'REQUIRED');
    for (const field of ['headersToAttributes', 'allowedIpAddresses']) {
      if (isFilled(at(field))) wrong(field, 'is for inbound rules only');
    }
  }
  if (type === 'inbound' && isFilled(at('headers'))) wrong('headers', 'is for outbound rules only');

  const isStatic = at('room', 'type') === 'static';
  if (isStatic && at('room', 'id') === undefined) wrong('room.id', 'is required for a static room', 'REQUIRED');
  if (!isStatic && at('room', 'id') !== undefined) wrong('room.id', 'is for static rooms only');

  const metadata = at('agentMetadata');
  if (typeof metadata === 'object' && metadata !== null && isLargerThan(metadata, metadataBytes)) {
    wrong('agentMetadata', `must be at most ${metadataBytes} bytes as JSON`, 'TOO_LONG');
  }
  // A recording that silently is not made would be found missing when it is needed: refused instead.
  if (at('recording') === true) wrong('recording', 'cannot be honoured: this service has nowhere to keep recordings');
  return problems;
}
