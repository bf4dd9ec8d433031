import { dialedCountry } from '../phone/number-kind.js';

/** The country of the number at the other end of a call, as prices name it; null if it has been erased. */
export const countryOfEnd = (number: string): string | null => (number.startsWith('+') ? dialedCountry(number) : null);
