import { clockWords } from './clock-words.js';

/** Why no INVITE leaves through a gateway although the carrier has refused none, each with words for its account. */
const causes = {
  provider_unreachable: 'the telephony server does not answer, or refuses them',
  provider_busy: 'the telephony server is at its limit',
  provider_of_another_service: 'another service uses the telephony server',
  no_sip_server: 'the telephony server has no SIP server that takes them',
  trunk_name_unknown: 'DNS does not resolve the host name in its address',
} as const;

export type UnsentReason = keyof typeof causes;

/** After so long without a try, what was known of it is over: calls are tried each minute at least, if there are any. */
export const unsentForgottenSeconds = 180;

/** Why a gateway has sent no call, and since when, an ISO instant. */
export interface Unsent {
  readonly since: string;
  readonly reason: UnsentReason;
}

/**
 * Such a gateway, for its account.
 *
 * @param name omitted: the reader knows which gateway it is
 */
export function unsentSentence({ since, reason }: Unsent, now: Date, name?: string): string {
  const gateway = name === undefined ? 'the gateway' : `the gateway ${name}`;
  return (
    `No call has left through ${gateway} since ${clockWords(new Date(since), 'UTC', now)}: ${causes[reason]}. ` +
    'Outdial keeps trying.'
  );
}
