import { z } from 'zod';
import type { AttachedGateway } from '../../db/queries/telephony/gateways.js';
import { numberFormats } from '../../domain/phone/trunk-end.js';
import { instant, ownData } from '../fields.js';

export const transports = ['udp', 'tcp', 'tls'] as const;
export const mediaEncryptions = ['enable', 'disable'] as const;

export const directions = ['inbound', 'outbound'] as const;
export type Direction = (typeof directions)[number];

/** A gateway as examples show it. */
export const exampleGateway = {
  id: 'gwo_01931f6e-7a3c-7c11-8f0e-3b1f6a2d9c40',
  name: 'Reminders',
  sipRegion: 'auto',
  geoRegion: 'auto',
  numbers: ['+14155550100'],
  address: 'sip.carrier.example:5061',
  transport: 'tls' as const,
  auth: { username: 'acme' },
  mediaEncryption: 'disable' as const,
  maxConcurrentCalls: 50,
  reservedCalls: 0,
  callsPerSecond: 1,
  ringTimeoutSeconds: 45,
  maxCallSeconds: 3600,
  headers: {},
  numberFormat: 'e164' as const,
  allowedAddresses: [],
  allowedNumbers: [],
  record: false,
  noiseCancellation: false,
  enableDtmf: false,
  metadata: {},
  tags: ['production'],
  createdAt: '2026-03-02T09:30:00.000Z',
  updatedAt: '2026-03-02T09:30:00.000Z',
};

export const Gateway = z
  .strictObject({
    id: z.string().describe('`gwi_…` for an inbound gateway, `gwo_…` for an outbound one'),
    name: z.string().describe('Name of the gateway'),
    sipRegion: z.string().describe('Region that carries its calls, or auto'),
    geoRegion: z.string().describe('The same as sipRegion'),
    numbers: z.array(z.string()).describe('Every number that the gateway serves, E.164, in their order'),
    address: z.string().optional().describe('host or host:port of the trunk; every outbound gateway has one'),
    transport: z.enum(transports).optional().describe('How the trunk is spoken to; every outbound gateway has one'),
    auth: z
      .strictObject({ username: z.string().describe('User name at the trunk') })
      .optional()
      .describe('The password is never returned'),
    mediaEncryption: z.enum(mediaEncryptions).describe('enable: SRTP is required'),
    maxConcurrentCalls: z.int().describe('Most live calls at once; for calls that are made'),
    reservedCalls: z.int().describe('Lines that batch calls leave free'),
    callsPerSecond: z.number().describe('Most calls started in a second; for calls that are made'),
    ringTimeoutSeconds: z.int().describe('How long a callee is let ring'),
    maxCallSeconds: z.int().describe('After this a call is hung up'),
    fromHost: z.string().optional().describe('Host of the From header, if it is not our own'),
    headers: z.record(z.string(), z.string()).describe('SIP headers of every INVITE of the gateway'),
    numberFormat: z.enum(numberFormats).describe('How the trunk wants numbers written'),
    allowedAddresses: z
      .array(z.string())
      .describe('Where calls may come from; empty: anywhere with the credentials of `auth`. Inbound only'),
    allowedNumbers: z
      .array(z.string())
      .describe('Callers of an inbound gateway, callees of an outbound one; empty: all'),
    record: z.boolean().describe('Whether its calls are recorded'),
    noiseCancellation: z.boolean().describe('Whether noise is taken out; a routing rule can ask for it too'),
    enableDtmf: z.boolean().describe('Whether keys are heard and pressed; a routing rule can allow it too'),
    metadata: ownData().describe("The caller's own data"),
    tags: z.array(z.string()).describe("The caller's own words for it"),
    createdAt: instant().describe('When it was made'),
    updatedAt: instant().describe('When it was changed last'),
  })
  .meta({ id: 'Gateway', description: 'The gateway as it is now', examples: [exampleGateway] });
export type Gateway = z.output<typeof Gateway>;

// Columns whose values the database itself limits to these, read as such.
const Stored = z.object({
  transport: z.enum(transports).nullable(),
  media_encryption: z.enum(mediaEncryptions),
  number_format: z.enum(numberFormats),
  headers: z.record(z.string(), z.string()),
  metadata: ownData(),
});

/** A gateway, as every operation answers it. */
export function gatewayBody(gateway: AttachedGateway): Gateway {
  const stored = Stored.parse(gateway);
  return {
    id: gateway.id,
    name: gateway.name,
    sipRegion: gateway.sip_region,
    geoRegion: gateway.sip_region,
    numbers: [...gateway.numbers],
    ...(gateway.address === null ? {} : { address: gateway.address }),
    ...(stored.transport === null ? {} : { transport: stored.transport }),
    ...(gateway.auth_username === null ? {} : { auth: { username: gateway.auth_username } }),
    mediaEncryption: stored.media_encryption,
    maxConcurrentCalls: gateway.max_concurrent_calls,
    reservedCalls: gateway.reserved_calls,
    callsPerSecond: gateway.calls_per_second,
    ringTimeoutSeconds: gateway.ring_timeout_seconds,
    maxCallSeconds: gateway.max_call_seconds,
    ...(gateway.from_host === null ? {} : { fromHost: gateway.from_host }),
    headers: stored.headers,
    numberFormat: stored.number_format,
    allowedAddresses: gateway.allowed_addresses,
    allowedNumbers: gateway.allowed_numbers,
    record: gateway.record,
    noiseCancellation: gateway.noise_cancellation,
    enableDtmf: gateway.enable_dtmf,
    metadata: stored.metadata,
    tags: gateway.tags,
    createdAt: gateway.created_at.toISOString(),
    updatedAt: gateway.updated_at.toISOString(),
  };
}
