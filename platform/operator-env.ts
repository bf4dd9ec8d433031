import { z } from 'zod';
import { checkedList, flag } from './env-fields.js';

const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const hours = new RegExp(`^${clock}-(?:${clock}|24:00)$`);
const isHours = (text: string): boolean => {
  const [from, until] = text.split('-');
  return hours.test(text) && from !== until && until !== '00:00';
};

/** The operator's limits for all accounts; an account can only narrow them. */
export const operatorSettings = {
  OUTDIAL_ALLOWED_COUNTRIES: checkedList(
    (code) => /^(?:[A-Z]{2}|001)$/.test(code),
    'must be ISO 3166-1 country codes such as IN,US, or 001 for numbers that belong to no country',
    'Countries that may be called by any account, ISO 3166-1 codes, comma-separated; 001 stands for numbers of no country. Omitted: each account decides.',
  ),
  OUTDIAL_CALLING_HOURS: z
    .string()
    .refine(isHours, { error: 'must be HH:MM-HH:MM, such as 08:00-21:00' })
    .optional()
    .describe(
      'Hours in which calls may start, by the clock of each callee, `HH:MM-HH:MM`. Omitted: each account decides.',
    ),
  OUTDIAL_CALLING_DAYS: checkedList(
    (day) => /^[1-7]$/.test(day),
    'must be days from 1 (Monday) to 7 (Sunday), comma-separated',
    'Days on which OUTDIAL_CALLING_HOURS open, 1 (Monday) to 7 (Sunday), comma-separated; default every day.',
  ),
  OUTDIAL_MAX_ATTEMPTS_PER_NUMBER_PER_DAY: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Most times that an account may dial one number in a day of the callee. Omitted: each account decides.'),
  OUTDIAL_REFUSE_PREMIUM_RATE: flag('Refuse premium-rate numbers whatever an account sets.'),
  OUTDIAL_REFUSE_SATELLITE: flag('Refuse satellite numbers whatever an account sets.'),
  OUTDIAL_MAX_CALLS_PER_SECOND: z.coerce
    .number()
    .min(0.1)
    .max(200)
    .optional()
    .describe('Most calls per second of any outbound gateway.'),
  OUTDIAL_MAX_CONCURRENT_CALLS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('Most live calls of any outbound gateway.'),
  OUTDIAL_MAX_CONCURRENT_CALLS_PER_ACCOUNT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Most live calls that one account makes, over all its gateways.'),
  OUTDIAL_RESERVED_AGENT_SLOTS: checkedList(
    (item) => /^(?:[^\s=,]+=)?\d{1,5}$/.test(item),
    'must be a number of slots, or a number for each region such as default=4,eu=2',
    'Agent slots of each region that batch calls leave free for single and inbound calls: a number for all regions, or one for each such as `default=4,eu=2`.',
  ),
  OUTDIAL_MIN_RETRY_DELAY_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(604_800)
    .optional()
    .describe('Shortest delay before a retry, in seconds, that a batch call may ask for.'),
  OUTDIAL_TRANSFER_HOSTS: checkedList(
    (host) => /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/.test(host),
    'must be hosts without scheme and port, such as pbx.example.com',
    'Hosts that calls may be transferred to by a SIP address, comma-separated. Numbers are not affected. Omitted: any host.',
  ),
  OUTDIAL_REQUIRE_GRANTS: flag(
    'Accounts use only the numbers and SIP hosts that `outdial grant` has given them, for calls in either direction.',
  ),
};

/** Slots by region; `*` stands for those that are not named. */
const reservedSlotsOf = (items: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    items.map((item) => {
      const [slots = '', region = '*'] = item.split('=').reverse();
      return [region, Number(slots)];
    }),
  );

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** The settings in the shape of domain/account/operator-limits.ts. */
export function operatorLimitsOf(env: z.output<z.ZodObject<typeof operatorSettings>>) {
  const [from = '', until = ''] = env.OUTDIAL_CALLING_HOURS?.split('-') ?? [];
  const days = env.OUTDIAL_CALLING_DAYS?.map(Number).sort((one, other) => one - other) ?? everyDay;
  return {
    allowedCountries: env.OUTDIAL_ALLOWED_COUNTRIES ?? null,
    callingHours: env.OUTDIAL_CALLING_HOURS === undefined ? null : { from, until, daysOfWeek: [...new Set(days)] },
    maxAttemptsPerNumberPerDay: env.OUTDIAL_MAX_ATTEMPTS_PER_NUMBER_PER_DAY ?? null,
    refusePremiumRate: env.OUTDIAL_REFUSE_PREMIUM_RATE,
    refuseSatellite: env.OUTDIAL_REFUSE_SATELLITE,
    maxCallsPerSecond: env.OUTDIAL_MAX_CALLS_PER_SECOND ?? null,
    maxConcurrentCalls: env.OUTDIAL_MAX_CONCURRENT_CALLS ?? null,
    maxConcurrentCallsPerAccount: env.OUTDIAL_MAX_CONCURRENT_CALLS_PER_ACCOUNT ?? null,
    reservedAgentSlots:
      env.OUTDIAL_RESERVED_AGENT_SLOTS === undefined ? null : reservedSlotsOf(env.OUTDIAL_RESERVED_AGENT_SLOTS),
    minRetryDelaySeconds: env.OUTDIAL_MIN_RETRY_DELAY_SECONDS ?? null,
    transferHosts: env.OUTDIAL_TRANSFER_HOSTS?.map((host) => host.toLowerCase().replace(/\.$/, '')) ?? null,
    requireGrants: env.OUTDIAL_REQUIRE_GRANTS,
  };
}
