import { z } from 'zod';
import type { GuardrailsInForce } from '../../db/queries/accounts/guardrails.js';
import { CallingHoursInput } from '../../domain/call/calling-window-input.js';
import type { CallingHours, Guardrails } from '../../domain/account/guardrails.js';
import type { OperatorLimits } from '../../domain/account/operator-limits.js';
import { isDialedCountry } from '../../domain/phone/number-kind.js';
import { instant } from '../fields.js';
import { readOnly } from '../read-only.js';

const countryWords = 'must be an ISO 3166-1 country code such as IN, or 001 for numbers that belong to no country';

const texts = {
  callingHours:
    'Hours in which calls may start, by the clock of each callee: {from: "09:00", until: "20:00", daysOfWeek: [1, …, 7]}. ' +
    'until goes up to 24:00; before from, it is on the next day. daysOfWeek counts from 1 (Monday), default every day. ' +
    'If omitted: at any hour.',
  maxAttempts:
    'How often one number may be dialed in a calendar day of the callee, over all batch calls, retries and single calls. ' +
    'If omitted: any number of times.',
  allowedCountries:
    'Countries that may be called, ISO 3166-1 alpha-2; 001 stands for numbers that belong to no country, such as +800. ' +
    'If omitted: the countries of the account’s own numbers.',
  premium: 'Whether premium-rate numbers are refused',
  satellite: 'Whether satellite numbers are refused (+870, +881, +882, +883)',
  disclosure: 'What every callee hears first, before the greeting. If omitted: nothing.',
};

/** The body of PUT. An omitted field goes back to its default. */
export const PutGuardrails = z
  .strictObject({
    callingHours: CallingHoursInput.optional().describe(texts.callingHours),
    maxAttemptsPerNumberPerDay: z.int().min(1).max(100).optional().describe(texts.maxAttempts),
    allowedCountries: z
      .array(z.string().refine(isDialedCountry, { error: countryWords }))
      .min(1)
      .max(300)
      .transform((countries) => [...new Set(countries)].sort())
      .optional()
      .describe(texts.allowedCountries),
    refusePremiumRate: z.boolean().default(true).describe(texts.premium),
    refuseSatellite: z.boolean().default(true).describe(texts.satellite),
    disclosure: z.string().trim().min(1).max(1000).optional().describe(texts.disclosure),
    countriesInForce: readOnly(),
    operatorLimits: readOnly(),
    dialingStopped: readOnly(),
    dialingStoppedAt: readOnly(),
    updatedAt: readOnly(),
  })
  .meta({
    id: 'PutGuardrails',
    examples: [
      {
        callingHours: { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6] },
        maxAttemptsPerNumberPerDay: 3,
        allowedCountries: ['IN', 'US'],
        disclosure: 'This call is made by an artificial voice and is recorded.',
      },
    ],
  });
export type PutGuardrails = z.output<typeof PutGuardrails>;

const CallingHoursBody = z
  .strictObject({
    from: z.string().describe('HH:MM from which calls may start'),
    until: z.string().describe('HH:MM from which they may no longer; before from: on the next day'),
    daysOfWeek: z.array(z.int()).describe('1 is Monday'),
  })
  .meta({ id: 'CallingHours' });

/** What GET and PUT answer. */
export const GuardrailsBody = z
  .strictObject({
    callingHours: CallingHoursBody.optional().describe(texts.callingHours),
    maxAttemptsPerNumberPerDay: z.int().optional().describe(texts.maxAttempts),
    allowedCountries: z.array(z.string()).optional().describe(texts.allowedCountries),
    countriesInForce: z
      .array(z.string())
      .describe(
        'allowedCountries, or else the countries of the account’s numbers; that of the number called from is added',
      ),
    operatorLimits: z
      .strictObject({
        callingHours: CallingHoursBody.optional().describe('Hours that those of the account have to lie in'),
        maxAttemptsPerNumberPerDay: z.int().optional().describe('The account can set this or less'),
        allowedCountries: z.array(z.string()).optional().describe('The account can allow some of these'),
        refusePremiumRate: z.literal(true).optional().describe('The account cannot allow premium-rate numbers'),
        refuseSatellite: z.literal(true).optional().describe('The account cannot allow satellite numbers'),
      })
      .meta({ id: 'OperatorLimits' })
      .optional()
      .describe('What the operator of the service allows at most; omitted if it limits nothing'),
    refusePremiumRate: z.boolean().describe(texts.premium),
    refuseSatellite: z.boolean().describe(texts.satellite),
    disclosure: z.string().optional().describe(texts.disclosure),
    dialingStopped: z.boolean().describe('All dialing of the account is stopped; see stop-dialing and resume-dialing'),
    dialingStoppedAt: instant().optional().describe('Since when'),
    updatedAt: instant().optional().describe('When the guardrails were set; omitted while they never were'),
  })
  .meta({
    id: 'Guardrails',
    examples: [
      {
        callingHours: { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6] },
        maxAttemptsPerNumberPerDay: 3,
        allowedCountries: ['IN', 'US'],
        countriesInForce: ['IN', 'US'],
        refusePremiumRate: true,
        refuseSatellite: true,
        disclosure: 'This call is made by an artificial voice and is recorded.',
        dialingStopped: false,
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

export const guardrailsOf = (body: PutGuardrails): Guardrails => ({
  callingHours: body.callingHours ?? null,
  maxAttemptsPerNumberPerDay: body.maxAttemptsPerNumberPerDay ?? null,
  allowedCountries: body.allowedCountries ?? null,
  refusePremiumRate: body.refusePremiumRate,
  refuseSatellite: body.refuseSatellite,
  disclosure: body.disclosure ?? null,
});

const hoursBody = (hours: CallingHours) => ({ ...hours, daysOfWeek: [...hours.daysOfWeek] });

function limitsBody(operator: OperatorLimits) {
  const { callingHours, maxAttemptsPerNumberPerDay, allowedCountries, refusePremiumRate, refuseSatellite } = operator;
  return {
    ...(callingHours === null ? {} : { callingHours: hoursBody(callingHours) }),
    ...(maxAttemptsPerNumberPerDay === null ? {} : { maxAttemptsPerNumberPerDay }),
    ...(allowedCountries === null ? {} : { allowedCountries: [...allowedCountries] }),
    ...(refusePremiumRate ? { refusePremiumRate } : {}),
    ...(refuseSatellite ? { refuseSatellite } : {}),
  };
}

/** The guardrails in force: what the account has set, held to what the operator allows. */
export function guardrailsBody(inForce: GuardrailsInForce): z.output<typeof GuardrailsBody> {
  const { guardrails, own, operator, homeCountries, dialingStoppedAt, updatedAt } = inForce;
  const { callingHours, maxAttemptsPerNumberPerDay, allowedCountries, disclosure } = guardrails;
  const operatorLimits = limitsBody(operator);
  return {
    // The account's, if it has any: they lie within the operator's, or both have to be open.
    ...(callingHours[0] === undefined ? {} : { callingHours: hoursBody(callingHours[0]) }),
    ...(maxAttemptsPerNumberPerDay === null ? {} : { maxAttemptsPerNumberPerDay }),
    ...(own.allowedCountries === null ? {} : { allowedCountries: [...(allowedCountries ?? own.allowedCountries)] }),
    countriesInForce: [...(allowedCountries ?? homeCountries)],
    refusePremiumRate: guardrails.refusePremiumRate,
    refuseSatellite: guardrails.refuseSatellite,
    ...(disclosure === null ? {} : { disclosure }),
    ...(Object.keys(operatorLimits).length === 0 ? {} : { operatorLimits }),
    dialingStopped: dialingStoppedAt !== null,
    ...(dialingStoppedAt === null ? {} : { dialingStoppedAt: dialingStoppedAt.toISOString() }),
    ...(updatedAt === null ? {} : { updatedAt: updatedAt.toISOString() }),
  };
}
