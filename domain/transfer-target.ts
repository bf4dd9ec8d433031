import { isE164 } from './phone-number.js';
import { placeholdersIn } from './template.js';

/** User and host, nothing that would add headers or parameters of its own to the REFER. */
const sipUri = /^sips?:([A-Za-z0-9._~!$&'*+()-]{1,128})@[A-Za-z0-9.-]{1,255}(?::\d{1,5})?$/;

/** What may stand between the digits of a number in a SIP address (RFC 3966, visual separators). */
const separators = /[-.()]/g;

/**
 * Whether a call can be handed over to this: an E.164 number, `tel:` and one, or a bare `sip:` or `sips:` address. The one
 * rule for requests, for configs of agents, and for what the placeholders of a config were filled with.
 */
export const isTransferTarget = (text: string): boolean =>
  sipUri.test(text) || isE164(text.startsWith('tel:') ? text.slice('tel:'.length) : text);

/** Whether a config may name this as its target: one that is, or that becomes one for each call by its placeholders. */
export const isTransferTemplate = (text: string): boolean => placeholdersIn(text).length > 0 || isTransferTarget(text);

/**
 * The number that a target makes the carrier call, E.164: a trunk takes it with and without the plus, in a SIP address too.
 * @returns null for a desk or an extension
 */
export function numberOfTarget(target: string): string | null {
  const text = (sipUri.exec(target)?.[1] ?? target.replace(/^tel:/, '')).replace(separators, '');
  const number = text.replace(/^(?:\+|00)?(?=[1-9]\d+$)/, '+');
  return isE164(number) ? number : null;
}
