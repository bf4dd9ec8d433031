import { z } from 'zod';
import { isCidr } from '../../platform/ip-address.js';
import { allowedNumber, e164, ownData, text } from '../fields.js';
import { customHeaders } from '../../domain/call/sip-headers.js';
import { headerInclusions, MatchRecent, roomPrefixes, roomTypes, ruleTypes } from './schema.js';

const cidr = z.string().superRefine((entry, context) => {
  if (isCidr(entry)) return;
  context.addIssue({ code: 'custom', message: 'must be an address range in CIDR form, such as 198.51.100.0/24' });
});

const Room = z
  .strictObject({
    type: z.enum(roomTypes).default('dynamic').describe('static: one room for all; dynamic: one for each call'),
    prefix: z.enum(roomPrefixes).default('blank').describe('What the name of a dynamic room begins with'),
    id: z
      .string()
      .regex(/^[\w.:+-]{1,128}$/, { error: 'must be 1 to 128 letters, digits, or any of _ . : + -' })
      .optional()
      .describe('The room itself; static rooms only, and required for them'),
    pin: z
      .string()
      .regex(/^\d{1,32}$/, { error: 'must be 1 to 32 digits' })
      .optional()
      .describe('Digits that a caller has to press to be let in'),
  })
  .meta({ id: 'NewRoom' });

/** Fields of a rule that a client may write, without their defaults. */
export const ruleFields = {
  name: text(256).describe('Name of the rule'),
  type: z.enum(ruleTypes).describe('Which calls it is for; cannot be changed later'),
  phoneNumbers: z.array(e164()).max(100).describe('Numbers on the account that the rule is attached to'),
  numbers: z.array(e164()).max(100).describe('Another name for phoneNumbers'),
  agentId: z.string().describe('Agent that takes part in the calls; required for an outbound rule'),
  agentMetadata: ownData().describe('Passed to the agent on every call of the rule; at most 16 KB'),
  room: Room.describe('Room that the calls take place in'),
  apiKey: z.string().describe("Public id of one of the account's keys; default: the one that asks"),
  includeHeaders: z.enum(headerInclusions).describe('SIP headers of the call that the agent sees'),
  headers: customHeaders().describe('SIP headers of the INVITE; outbound rules only'),
  headersToAttributes: z
    .record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'must be the name of a SIP header' }), text(128))
    .describe("SIP header → attribute of the caller's participant; inbound rules only"),
  allowedNumbers: z
    .array(allowedNumber())
    .max(1000)
    .describe('Callers of an inbound rule, callees of an outbound one: E.164, or a prefix that ends in *; empty: all'),
  allowedIpAddresses: z.array(cidr).max(100).describe('CIDR ranges that calls may come from; inbound rules only'),
  tags: z.array(text(64)).max(50).describe("The caller's own words for it"),
  recording: z.boolean().describe('Record its calls. Refused with the simulator, which has no sound'),
  dtmf: z.boolean().describe('Have the agent hear the keys that are pressed, and press some itself'),
  noiseCancellation: z.boolean().describe('Take noise out of what the agent hears'),
  matchRecent: MatchRecent.describe(
    'Connects callers whom the account called lately as in that call; inbound rules only',
  ),
  hidePhoneNumber: z.boolean().describe("Keep the other side's number out of the room"),
};
