import { ServerError, SipCallError } from 'livekit-server-sdk';
import type { LegFact } from '../../domain/call/disposition.js';
import { connectionWords } from '../../domain/connection-words.js';
import { AnswerLost, ProviderUnreachable, type TransferResult } from '../provider.js';

/** Codes of failures to connect: no byte of the request left. */
const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
};

const notConnected = (error: unknown): boolean => !(error instanceof ServerError) && neverConnected.has(codeOf(error));

/**
 * What a failed request says, fit for a log. Never the message of a refused token: it contains the token.
 * @param region names the LiveKit that was asked
 */
function wordsOf(error: unknown, region: string): string {
  if (!(error instanceof ServerError)) {
    return `LiveKit of the region ${region} cannot be reached: ${unreachedWords(error)}`;
  }
  if (error.status === 401)
    return `LiveKit of the region ${region} does not accept the API key, or its clock and this machine's are minutes apart`;
  return `LiveKit of the region ${region} answers ${error.status} ${error.code ?? ''}: ${error.message}`;
}

function unreachedWords(error: unknown): string {
  const words = connectionWords(error);
  if (words !== undefined) return words;
  const name = error instanceof Error ? error.name : '';
  if (name === 'SyntaxError') return 'what answers there is no LiveKit';
  const code = codeOf(error);
  return code === '' ? name : code;
}

/** For requests that may be asked again: every failure means that LiveKit could not be asked. */
export const cannotAsk = (error: unknown, region: string): ProviderUnreachable =>
  new ProviderUnreachable(wordsOf(error, region));

/** Whether LiveKit says that there is no such room or participant. */
export const isNotFound = (error: unknown): boolean => error instanceof ServerError && error.status === 404;

/** The same, or it remembers the participant, but none of its nodes has it. */
export const isGone = (error: unknown): boolean =>
  isNotFound(error) ||
  (error instanceof ServerError && error.status === 503 && wording.noResponder.test(error.message));

/** LiveKit gives the code's name if the carrier sends no phrase. */
const phraseOf = (status: string | undefined): string | undefined =>
  status === undefined || status === '' || status.startsWith('SIP_STATUS_') ? undefined : status;

/** A final SIP response that LiveKit passes on; null if the error has none. */
export function sipAnswerOf(error: unknown): Pick<LegFact, 'sipStatusCode' | 'sipPhrase'> | null {
  if (!(error instanceof SipCallError)) return null;
  const { sipStatusCode } = error;
  if (sipStatusCode === undefined || !Number.isInteger(sipStatusCode)) return null;
  const sipPhrase = phraseOf(error.sipStatus);
  return { sipStatusCode, ...(sipPhrase === undefined ? {} : { sipPhrase }) };
}

/** The end of a dial that LiveKit answered with an error. Whether it rang is known to the leg. */
export interface DialFailure extends Omit<LegFact, 'rang'> {
  /** True only if the callee's participant never was in the room: LiveKit SIP joins before it sends the INVITE. */
  readonly unlessJoined?: true;
}

/** LiveKit's messages for ends of a dial without a SIP code (measured; see docs/telephony.md). */
const wording = {
  ringTimeout: /sip request timed out/i,
  noResponse: /transaction failed to complete \(0 intermediate/i,
  stalled: /transaction failed to complete/i,
  tooBusy: /cpu exhausted/i,
  noResponder: /no response from servers/i,
  notConnected: /sip not connected/i,
  roomFailed: /update room failed/i,
  badHeader: /invalid header/i,
  tooLong: /larger than MTU/i,
  network: /\b(dial|connect|lookup|resolve|network|x509|certificate|tls)\b/i,
};

/**
 * Reads the failure of a dial. `sipStatusCode` decides if there is one: LiveKit's own codes fold different things
 * together.
 *
 * @param addsHeaders whether LiveKit was asked to add headers to the INVITE
 * @throws ProviderUnreachable if nothing was sent because LiveKit could not be asked
 * @throws AnswerLost if the INVITE may have gone out
 */
export function dialFailure(error: unknown, region: string, addsHeaders: boolean): DialFailure {
  const sip = sipAnswerOf(error);
  if (sip !== null) return { how: 'refused', ...sip };
  const words = wordsOf(error, region);
  if (!(error instanceof ServerError)) {
    throw notConnected(error) ? new ProviderUnreachable(words) : new AnswerLost(words);
  }
  const says = (pattern: RegExp): boolean => pattern.test(error.message);
  const said = error.message;
  switch (error.status) {
    case 408:
      if (says(wording.noResponse)) return { how: 'no_response', reason: 'no_response' };
      if (says(wording.ringTimeout) || says(wording.stalled)) return { how: 'ring_timeout' };
      if (error.code === 'canceled') return { how: 'cancelled', reason: 'cancelled_by_livekit' };
      throw new AnswerLost(words);
    case 412:
      // By UDP an INVITE has 1,300 bytes. If the call itself brings headers, the gateway is not to be blamed for them.
      if (says(wording.tooLong) && addsHeaders) return { how: 'refused', reason: 'headers_too_long_for_udp' };
      return { how: 'gateway_fault', words: said };
    case 400:
      if (says(wording.badHeader) && addsHeaders) return { how: 'refused', reason: 'invalid_header' };
      // Refused before anything was sent, because of the gateway: a name that does not resolve, an invalid header.
      return { how: 'gateway_fault', words: said };
    case 429:
      return { how: 'not_sent', words: 'livekit_limit', unsent: 'provider_busy' };
    case 401:
    case 403:
    case 404:
      throw new ProviderUnreachable(words);
    case 503:
      if (says(wording.tooBusy)) return { how: 'not_sent', words: 'livekit_sip_busy', unsent: 'provider_busy' };
      // No LiveKit SIP has accepted the order, and one that did not get the word to go on does nothing.
      if (says(wording.noResponder)) {
        return { how: 'not_sent', words: 'livekit_sip_absent', unsent: 'no_sip_server', unlessJoined: true };
      }
      if (says(wording.network)) return { how: 'gateway_fault', words: said };
      throw new AnswerLost(words);
    case 500:
      if (says(wording.roomFailed)) {
        return { how: 'not_sent', words: 'livekit_room_failed', unsent: 'provider_unreachable' };
      }
      if (says(wording.notConnected)) throw new ProviderUnreachable(words, { unsent: 'no_sip_server' });
      throw new AnswerLost(words);
    default:
      throw new AnswerLost(words);
  }
}

/**
 * Of a REFER: the carrier's refusal or LiveKit's own.
 * @throws ProviderUnreachable, AnswerLost as `dialFailure` does
 */
export function transferFailure(error: unknown, region: string): { sipStatusCode?: number; message: string } {
  const sip = sipAnswerOf(error);
  if (sip?.sipStatusCode !== undefined) {
    const { sipStatusCode, sipPhrase } = sip;
    return { sipStatusCode, message: `The carrier answers ${sipStatusCode}${sipPhrase ? ` ${sipPhrase}` : ''}.` };
  }
  const words = wordsOf(error, region);
  if (notConnected(error)) throw new ProviderUnreachable(words);
  if (!(error instanceof ServerError)) throw new AnswerLost(words);
  switch (error.status) {
    case 401:
    case 403:
      throw new ProviderUnreachable(words);
    case 400:
    case 404:
    case 409:
    case 412:
      return { message: error.message };
    case 408:
      // The REFER is out, and no answer to it was seen: the carrier may act on it all the same.
      if (wording.stalled.test(error.message)) throw new AnswerLost(words);
      return { message: 'The one it was transferred to did not take the call in time.' };
    default:
      throw new AnswerLost(words);
  }
}

const targetWords: Partial<Record<DialFailure['how'], string>> = {
  ring_timeout: 'the transfer target did not answer',
  no_response: 'the carrier did not respond',
  cancelled: 'the call to the transfer target was cancelled',
};

/**
 * Of the call to the target of a warm transfer.
 * @throws ProviderUnreachable if it was certainly not sent, AnswerLost if it may have been
 */
export function targetFailure(failure: DialFailure): TransferResult {
  const { how, sipStatusCode, sipPhrase, words } = failure;
  if (failure.unlessJoined === true) throw new AnswerLost(words ?? 'LiveKit SIP went away while it was dialing');
  if (how === 'not_sent') throw new ProviderUnreachable(words ?? 'LiveKit SIP takes no call right now');
  const answered =
    sipStatusCode === undefined ? undefined : `the carrier answers ${sipStatusCode}${sipPhrase ? ` ${sipPhrase}` : ''}`;
  return {
    transferred: false,
    ...(sipStatusCode === undefined ? {} : { sipStatusCode }),
    message: answered ?? targetWords[how] ?? words ?? 'the transfer target could not be called',
  };
}
