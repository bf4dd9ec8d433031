import { z } from 'zod';
import type { AttachedGateway } from '../../db/queries/telephony/gateways.js';
import type { NumberFacts } from '../../db/queries/telephony/number-limits.js';
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
    maxCallsPerDay: 200,
    minSecondsBetweenCalls: null,
    callsToday: 41,
    timezone: 'America/Los_Angeles',
    lastSevenDays: { attempts: 812, answered: 203, answerRate: 0.25 },
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
        maxCallsPerDay: z.int().nullable().describe('Most calls a day from it; null: no limit'),
        minSecondsBetweenCalls: z.int().nullable().describe('Least time from one call of it to its next; null: none'),
        callsToday: z.int().nullable().describe('INVITEs sent from it today; null if it never had a limit'),
        timezone: z.string().nullable().describe('Whose midnight begins its day, by its area; null with callsToday'),
        lastSevenDays: z
          .strictObject({
            attempts: z.int().describe('Attempts to reach someone that are over'),
            answered: z.int().describe('How many of them were answered'),
            answerRate: z.number().nullable().describe('Their share, 0 to 1; null without attempts'),
          })
          .describe('What calls from it came to, today and on the six days before'),
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
  facts: NumberFacts | undefined,
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
      maxCallsPerDay: facts?.maxCallsPerDay ?? null,
      minSecondsBetweenCalls: facts?.minSecondsBetweenCalls ?? null,
      callsToday: facts?.callsToday ?? null,
      timezone: facts?.timezone ?? null,
      lastSevenDays: {
        attempts: facts?.attempts ?? 0,
        answered: facts?.answered ?? 0,
        answerRate: facts === undefined || facts.attempts === 0 ? null : facts.answered / facts.attempts,
      },
      createdAt: number.created_at.toISOString(),
      updatedAt: number.updated_at.toISOString(),
    },
    inbound: gateways?.inbound === undefined ? null : gatewayBody(gateways.inbound),
    outbound: gateways?.outbound === undefined ? null : gatewayBody(gateways.outbound),
  };
}
