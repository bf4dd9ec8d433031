type Meaning = readonly [says: RegExp, words: string];

/** What is said of an address that no request has reached. */
const unreached: readonly Meaning[] = [
  [/\bECONNREFUSED\b/, 'nothing listens there'],
  [/\bENOTFOUND\b|name resolution failed/i, 'there is no such name'],
  [/\bEAI_AGAIN\b/, 'no name server answers'],
  [/\bE(?:HOST|NET)UNREACH\b/, 'no way leads there from this machine'],
];

/** What a driver says, and what that means to somebody who has named an address. The first that fits counts. */
const meanings: readonly Meaning[] = [
  ...unreached,
  [/\bEACCES\b|\bEPERM\b/, 'this machine does not let the command connect there'],
  [/\bbad port\b/, 'HTTP is never spoken on its port'],
  [/wrong version number|packet length too long/i, 'it does not speak TLS'],
  [/\bCERT_HAS_EXPIRED\b|certificate has expired/, 'its certificate has expired'],
  [/\bERR_TLS_CERT_ALTNAME_INVALID\b|altnames/, 'its certificate is for another name'],
  [
    /SELF_SIGNED_CERT|self-signed certificate|UNABLE_TO_(?:VERIFY|GET_ISSUER)|unable to (?:verify|get local issuer)/,
    'its certificate is signed by nobody whom this machine trusts (NODE_EXTRA_CA_CERTS names a file with more)',
  ],
  [/does not support SSL connections/, 'it does not speak TLS'],
  [/\bHPE_|does not match the HTTP/, 'it does not speak HTTP'],
  [
    /\bECONNRESET\b|\bEPIPE\b|\bUND_ERR_SOCKET\b|socket hang up|Connection terminated unexpectedly/,
    'it closes the connection without an answer',
  ],
];

/** Whether these are the {@link connectionWords} of an address that no request has reached. */
export const isUnreached = (words: string): boolean => unreached.some(([, of]) => of === words);

/** It may be silent, or what was sent never arrived: no driver knows. */
const late =
  /\bETIMEDOUT\b|\bUND_ERR_CONNECT_TIMEOUT\b|\bTimeoutError\b|\bAbortError\b|due to connection timeout|timeout exceeded when trying to connect/;

/**
 * Why something at an address could not be asked, without the codes of drivers: `nothing listens there`.
 *
 * @param withinMs how long it had for an answer
 * @returns undefined if neither the error nor its cause is about a connection
 */
export const connectionWords = (error: unknown, withinMs?: number): string | undefined =>
  ownConnectionWords(error, withinMs) ??
  (error instanceof Error && error.cause !== undefined ? connectionWords(error.cause, withinMs) : undefined);

/** The same of the error itself. Its cause may be the connection to something else. */
export function ownConnectionWords(error: unknown, withinMs?: number): string | undefined {
  if (error instanceof AggregateError) {
    // One address of a name after the other: what the first says holds.
    const [words] = error.errors.flatMap((each) => ownConnectionWords(each, withinMs) ?? []);
    if (words !== undefined) return words;
  }
  if (!(error instanceof Error)) return undefined;
  const said = `${error.name} ${'code' in error ? String(error.code) : ''} ${error.message}`;
  const [, words] = meanings.find(([says]) => says.test(said)) ?? [];
  if (words !== undefined) return words;
  return late.test(said) ? lateWords(withinMs) : undefined;
}

/** For what has not answered within this time. */
export const lateWords = (withinMs?: number): string =>
  `it does not answer ${withinMs === undefined ? 'in time' : `within ${withinMs / 1000} s`}`;
