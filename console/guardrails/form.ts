import type { Schemas } from '../api/client.js';

type Guardrails = Schemas['Guardrails'];

/** The guardrails as fields have them: everything is a text until it is sent. */
export interface Fields {
  readonly hasHours: boolean;
  readonly from: string;
  readonly until: string;
  readonly daysOfWeek: readonly string[];
  readonly mostAttempts: string;
  readonly countries: string;
  readonly refusePremiumRate: boolean;
  readonly refuseSatellite: boolean;
  readonly disclosure: string;
}

/** What the fields show of the guardrails as they are. */
export const fieldsOf = (guardrails: Guardrails): Fields => ({
  hasHours: guardrails.callingHours !== undefined,
  from: guardrails.callingHours?.from ?? '09:00',
  until: guardrails.callingHours?.until ?? '20:00',
  daysOfWeek: (guardrails.callingHours?.daysOfWeek ?? [1, 2, 3, 4, 5, 6, 7]).map(String),
  mostAttempts:
    guardrails.maxAttemptsPerNumberPerDay === undefined ? '' : String(guardrails.maxAttemptsPerNumberPerDay),
  countries: (guardrails.allowedCountries ?? []).join(', '),
  refusePremiumRate: guardrails.refusePremiumRate,
  refuseSatellite: guardrails.refuseSatellite,
  disclosure: guardrails.disclosure ?? '',
});

/** Texts of a list that is typed with commas or spaces. */
const listed = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');

/** A number that was typed. What is none goes to the API as it is, which says what is wrong with it. */
function numberOf(text: string): number {
  const number = Number(text);
  return Number.isNaN(number) ? (text as unknown as number) : number;
}

/** The body of PUT, which replaces all of them. An empty field goes back to its default. */
export function bodyOf(fields: Fields): Schemas['PutGuardrails'] {
  const { hasHours, from, until, daysOfWeek, mostAttempts, countries, disclosure } = fields;
  const allowedCountries = listed(countries).map((country) => country.toUpperCase());
  return {
    ...(hasHours ? { callingHours: { from, until, daysOfWeek: daysOfWeek.map(Number) } } : {}),
    ...(mostAttempts.trim() === '' ? {} : { maxAttemptsPerNumberPerDay: numberOf(mostAttempts) }),
    ...(allowedCountries.length === 0 ? {} : { allowedCountries }),
    refusePremiumRate: fields.refusePremiumRate,
    refuseSatellite: fields.refuseSatellite,
    ...(disclosure.trim() === '' ? {} : { disclosure: disclosure.trim() }),
  };
}
