import { z } from 'zod';
import { allowedNumber, e164, lineOfText, ownData, text } from '../fields.js';
import { trunkHeaders } from '../../domain/call/sip-headers.js';
import { isAddressRange } from '../../platform/ip-address.js';
import { numberFormats } from '../../domain/phone/trunk-end.js';
import { mediaEncryptions, transports } from './schema.js';

const addressRange = z.string().superRefine((entry, context) => {
  if (isAddressRange(entry)) return;
  const message = 'must be an IP address, or a range in CIDR form such as 198.51.100.0/24';
  context.addIssue({ code: 'custom', message });
});

/** Fields of a gateway of either direction that a client may write, without their defaults. */
export const gatewayFields = {
  name: lineOfText(256).describe('Name of the gateway'),
  numbers: z.array(e164()).max(100).describe('Numbers that it serves, E.164; registered on the account when new'),
  address: text(260).describe('host or host:port of the trunk, without a scheme'),
  transport: z.enum(transports).describe('How the trunk is spoken to'),
  mediaEncryption: z.enum(mediaEncryptions).describe('enable: SRTP is required'),
  sipRegion: z.string().describe('One of the configured regions, or auto'),
  geoRegion: z.string().describe('Another name for sipRegion'),
  allowedAddresses: z
    .array(addressRange)
    .max(100)
    .describe('IP addresses and CIDR ranges that calls may come from; empty: anywhere. Inbound only'),
  allowedNumbers: z
    .array(allowedNumber())
    .max(1000)
    .describe(
      'Callers of an inbound gateway, callees of an outbound one: E.164, or a prefix that ends in *; empty: all',
    ),
  record: z.boolean().describe('Record its calls, as rules can too; refused with the simulator'),
  noiseCancellation: z.boolean().describe('Take noise out of what the agent hears, as rules can too'),
  enableDtmf: z.boolean().describe('Hear and press keys, as rules can allow too'),
  metadata: ownData().describe("The caller's own data, at most 16 KB"),
  tags: z.array(text(64)).max(50).describe("The caller's own words for it"),
};

/** Fields that say how an outbound gateway dials, without their defaults. */
export const dialingFields = {
  maxConcurrentCalls: z.int().min(1).max(10_000).describe('Most live calls at once'),
  reservedCalls: z.int().min(0).max(9_999).describe('Lines that batch calls leave free'),
  callsPerSecond: z.number().min(0.1).max(200).describe('Most calls started in a second'),
  ringTimeoutSeconds: z.int().min(15).max(75).describe('How long a callee is let ring'),
  maxCallSeconds: z.int().min(1).max(86_400).describe('After this a call is hung up'),
  fromHost: text(253).describe('Host of the From header, if the trunk wants its own'),
  headers: trunkHeaders().describe('SIP headers of every INVITE: X- headers, and those that name the caller'),
  numberFormat: z.enum(numberFormats).describe('How the trunk wants numbers written'),
};

/** Credentials: sent to the trunk, or expected from it. */
export const Credentials = z
  .strictObject({
    username: lineOfText(256).describe('User name at the trunk'),
    password: lineOfText(256).describe('Stored sealed, never returned'),
  })
  .meta({ id: 'GatewayCredentials' });
