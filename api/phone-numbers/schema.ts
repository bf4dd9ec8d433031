import { z } from 'zod';
import type { AttachedGateway } from '../../db/queries/telephony/gateways.js';
import type { PhoneNumberRow } from '../../db/queries/telephony/phone-numbers.js';
import { instant } from '../fields.js';
import { exampleGateway, Gateway, gatewayBody } from '../gateways/schema.js';

/** A number with its gateways, as examples show it. */
export const examplePhoneNumber = {
  phoneNumber: {
    phoneNumberId: 'num_01931f6e-7a3c-7c11-8f0e-3b1f6a2d9c3e',
    e164: '+14155550100',
    name: 'Reminders',
    countryCode: 'US',
    provider: 'sip',
    origin: 'external',
    status: 'active',
    createdAt: '2026-03-02T09:30:00.000Z',
    updatedAt: '2026-03-02T09:30:00.000Z',
  },
  inbound: null,
  outbound: exampleGateway,
};

export const PhoneNumber = z
  .strictObject({
    phoneNumber: z
      .strictObject({
        phoneNumberId: z.string().describe('Id of the number, `num_…`'),
        e164: z.string().describe('The number, E.164'),
        name: z.string().describe('Its name'),
        countryCode: z.string().optional().describe('ISO 3166-1 alpha-2; omitted for numbers of no country'),
        provider: z.string().describe('Who carries it: sip, a trunk of the caller’s own'),
        origin: z.string().describe('Where it comes from: external, registered over this interface'),
        status: z.string().describe('active'),
        createdAt: instant().describe('When it was registered'),
        updatedAt: instant().describe('When it was changed last'),
      })
      .describe('The number itself'),
    inbound: Gateway.nullable().describe('Where calls to it come in; null if nothing is attached'),
    outbound: Gateway.nullable().describe('How calls from it go out; null if nothing is attached'),
  })
  .meta({ id: 'PhoneNumber', examples: [examplePhoneNumber] });

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
