import type { Trunks } from './trunks.js';
import type { CheckAnswer } from './wire.js';

/** What a carrier with these faults answers to SIP OPTIONS. */
export function checkAnswerOf({
  silence,
  refuseConnection,
  refuseCredentials,
}: ReturnType<Trunks['faultsOf']>): CheckAnswer {
  if (refuseConnection) return { reachable: false, message: 'connection refused' };
  if (silence) return { reachable: false, message: 'no response to OPTIONS' };
  if (refuseCredentials) {
    return { reachable: true, statusCode: 403, milliseconds: 1, message: 'credentials refused' };
  }
  return { reachable: true, statusCode: 200, milliseconds: 1, message: 'the simulated carrier answers' };
}
