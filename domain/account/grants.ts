import type { PauseReason } from '../batch/pause-reasons.js';
import { forbidden } from '../errors.js';

/** What an operator can grant to an account: a number in E.164, or the host of a SIP trunk. */
export interface Granted {
  readonly numbers: readonly string[];
  readonly hosts: readonly string[];
}

/** What an account wants to use. */
export interface WantedGrants extends Granted {
  /** Of a gateway: some of them name the caller. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an account uses, or wants to use, and has not been granted. */
export interface Ungranted extends Granted {
  /** Headers of a gateway that name another caller than a granted number. */
  readonly headers: readonly string[];
}

/** Why nothing is dialed although dialing was not stopped: shown as the `pausedReason` of a batch call. */
export const notGranted = 'not_granted' satisfies PauseReason;

const list = (words: string, values: readonly string[]): string[] =>
  values.length === 0 ? [] : [`${words}${values.length === 1 ? '' : 's'} ${values.join(', ')}`];

/**
 * What is missing, in words fit for the account. They are the same whether or not another account has what is asked for, so
 * they tell nothing of it. Null: nothing is missing.
 */
export function ungrantedWords({ numbers, hosts, headers }: Ungranted): string | null {
  const missing = [...list('the number', numbers), ...list('the SIP host', hosts)];
  const sentences = missing.length === 0 ? [] : [`This account has not been granted ${missing.join(' and ')}.`];
  if (headers.length > 0) {
    sentences.push(
      `${headers.join(', ')} must be one SIP or tel address with a number that this account has been granted, such as ` +
        '<sip:+14155550100@sip.example.com>.',
    );
  }
  return sentences.length === 0 ? null : `${sentences.join(' ')} Ask the operator of this service.`;
}

/** @throws Failure `forbidden` that names all that the account has not been granted */
export function refuseUngranted(ungranted: Ungranted): void {
  const words = ungrantedWords(ungranted);
  if (words !== null) throw forbidden(words);
}
