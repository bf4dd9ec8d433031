/** A value of the details in one line. */
function valueSaid(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value)) return value.map(valueSaid).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The facts beside an entry of the audit log, in one line. */
export const detailsSaid = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${valueSaid(value)}`)
    .join('; ');
