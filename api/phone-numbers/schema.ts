import { z } from 'zod';
import type { AttachedGateway } from '../../db/queries/gateways.js';
import type { PhoneNumberRow } from '../../db/queries/phone-numbers.js';
import { instant } from '../fields.js';

export const transports = ['udp', 'tcp', 'tls'] as const;
export const mediaEncryptions = ['enable', 'disable'] as const;

const Gateway = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    sipRegion: z.string(),
    numbers: z.array(z.string()).describe('Every number that the gateway serves'),
    address: z.string().optional().describe('host or host:port of the trunk; outbound only'),
    transport: z.enum(transports).optional().describe('Outbound only'),
    auth: z.strictObject({ username: z.string() }).optional().describe('The password is never returned'),
    mediaEncryption: z.enum(mediaEncryptions),
    maxConcurrentCalls: z.int(),
    callsPerSecond: z.number(),
    ringTimeoutSeconds: z.int(),
    maxCallSeconds: z.int(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Gateway' });

export const PhoneNumber = z
  .strictObject({
    phoneNumber: z.strictObject({
      phoneNumberId: z.string(),
      e164: z.string(),
      name: z.string(),
      countryCode: z.string().optional().describe('ISO 3166-1 alpha-2; left out for numbers of no country'),
      provider: z.string(),
      origin: z.string(),
      status: z.string(),
      createdAt: instant(),
      updatedAt: instant(),
    }),
    inbound: Gateway.nullable(),
    outbound: Gateway.nullable(),
  })
  .meta({ id: 'PhoneNumber' });

const Transport = z.enum(transports);
const MediaEncryption = z.enum(mediaEncryptions);

function gatewayBody(gateway: AttachedGateway): z.output<typeof Gateway> {
  return {
    id: gateway.id,
    name: gateway.name,
    sipRegion: gateway.sip_region,
    numbers: [...gateway.numbers],
    ...(gateway.address === null ? {} : { address: gateway.address }),
    ...(gateway.transport === null ? {} : { transport: Transport.parse(gateway.transport) }),
    ...(gateway.auth_username === null ? {} : { auth: { username: gateway.auth_username } }),
    mediaEncryption: MediaEncryption.parse(gateway.media_encryption),
    maxConcurrentCalls: gateway.max_concurrent_calls,
    callsPerSecond: gateway.calls_per_second,
    ringTimeoutSeconds: gateway.ring_timeout_seconds,
    maxCallSeconds: gateway.max_call_seconds,
    createdAt: gateway.created_at.toISOString(),
    updatedAt: gateway.updated_at.toISOString(),
  };
}

/** A number with its gateways, as every operation answers it. */
export function phoneNumberBody(
  number: PhoneNumberRow,
  gateways: Partial<Record<string, AttachedGateway>> | undefined,
): z.output<typeof PhoneNumber> {
  return {
    phoneNumber: {
      phoneNumberId: number.id,
      e164: number.e164,
      name: number.name,
      ...(number.country_code === null ? {} : { countryCode: number.country_code }),
      provider: number.provider,
      origin: number.origin,
      status: number.status,
      createdAt: number.created_at.toISOString(),
      updatedAt: number.updated_at.toISOString(),
    },
    inbound: gateways?.inbound === undefined ? null : gatewayBody(gateways.inbound),
    outbound: gateways?.outbound === undefined ? null : gatewayBody(gateways.outbound),
  };
}
