const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
]);

/**
 * SQLSTATEs after which the same request may well succeed: connection exceptions (08), too many connections (53), operator
 * intervention such as a restart or the statement timeout (57), deadlock and serialization (40).
 */
const passingStates = /^(08|40|53|57)[0-9A-Z]{3}$/;

/** pg's own words for a connection that went away, which carry no code. */
const brokenConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether Postgres could not be asked, or gave up for a reason that passes. */
export function isDatabaseTrouble(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.some(isDatabaseTrouble);
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return connectionCodes.has(code) || passingStates.test(code) || brokenConnection.test(cause.message);
}
