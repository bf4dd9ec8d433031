/** A value of a row as text: files have texts, recipients that were sent as JSON may have more. */
export const valueSaid = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
