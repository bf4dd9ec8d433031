/** A value of the details in one line. */
const valueSaid = (value: unknown): string =>
  Array.isArray(value) ? value.map(valueSaid).join(', ') : typeof value === 'string' ? value : JSON.stringify(value);

/** The facts beside an entry of the audit log, in one line. */
export const detailsSaid = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${valueSaid(value)}`)
    .join('; ');
