import type { AttemptKey } from './attempt-key.js';
import { formatId } from '../ids.js';

/** How a call is handed over: `cold` by REFER, `warm` after the agent has spoken with the target. */
export const transferModes = ['cold', 'warm'] as const;
export type TransferMode = (typeof transferModes)[number];

/** How long the target's telephone may ring. */
export const targetRingSeconds = 40;
/** How long the agent may speak with the target before it goes back to the callee. */
export const consultationSeconds = 90;

/** Topic of the word by which the dialer asks an agent to put its callee on hold; a second one changes nothing. */
export const holdTopic = 'outdial.hold';

/** Room in which the agent speaks with the target: the callee is never in it. */
export const targetRoom = ({ callId, attempt }: AttemptKey, transferId: string): string =>
  `${formatId('call', callId)}_${attempt}_target_${transferId}`;

/** Identity of the target's participant there. */
export const targetIdentity = (transferId: string): string => `target_${transferId}`;

/** The number that a warm transfer calls: it goes out over the gateway of the call, so a SIP address is none. */
export function warmTargetNumber(transferTo: string): string | null {
  const number = transferTo.replace(/^tel:/, '');
  return number.startsWith('+') ? number : null;
}
