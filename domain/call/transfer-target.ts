import { asDialedBeside, isE164 } from '../phone/phone-number.js';
import { placeholdersIn } from '../agent/template.js';

/**
 * Whom a call can be handed over to: a number, an extension behind a host, or a desk with a name there. What a carrier
 * could read as a number in another way than we do is none of them.
 */
export type TransferTarget =
  | { readonly kind: 'number'; readonly number: string; readonly digits: string; readonly host: string | null }
  | { readonly kind: 'extension' | 'desk'; readonly host: string };

/** User and host, nothing that would add headers or parameters to the REFER. */
const sipUri = /^sips?:([A-Za-z0-9._~!$&'*+()-]{1,128})@([A-Za-z0-9.-]{1,253})(?::(\d{1,5}))?$/;

/** What may stand between the digits of a number in a SIP address (RFC 3966, visual separators). */
const separators = /[-.()]/g;

/** The longest extension: national numbers begin at seven digits. */
const longestExtension = 6;

/** Short numbers that reach emergency services somewhere, whatever the host was meant to do with them. */
const emergencyNumbers = new Set(
  '000 061 066 100 101 102 108 110 111 112 113 114 115 116 117 118 119 120 122 123 190 191 193 197 911 933 988 991 995 997 998 999'.split(
    ' ',
  ),
);

/** A name with a dot in it that ends in letters, a single label, or four decimal numbers. */
function isHost(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.some((label) => !/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label))) return false;
  const isIPv4 =
    labels.length === 4 && labels.every((label) => /^(?:0|[1-9]\d{0,2})$/.test(label) && Number(label) < 256);
  return isIPv4 || /[A-Za-z]/.test(last.charAt(0));
}

/** Reads the user part of a SIP address; null for what a carrier may take for another number than it seems. */
function readUser(user: string, host: string): TransferTarget | null {
  const plain = user.replace(separators, '');
  if (/^\+?\d+$/.test(plain)) {
    if (/^\d+$/.test(plain) && plain.length <= longestExtension) {
      return emergencyNumbers.has(plain) ? null : { kind: 'extension', host };
    }
    const number = plain.replace(/^(?:\+|00)?(?=[1-9])/, '+');
    return isE164(number) ? { kind: 'number', number, digits: plain, host } : null;
  }
  const digits = plain.replace(/\D/g, '').length;
  const isPlainName = /^[A-Za-z][A-Za-z0-9._-]*$/.test(user);
  const isSpecialName = digits === 0 && !user.includes('+') && /[A-Za-z]/.test(user);
  return digits <= longestExtension && (isPlainName || isSpecialName) ? { kind: 'desk', host } : null;
}

/**
 * Reads where a call is to be handed over to: an E.164 number, `tel:` and one, or a bare `sip:` or `sips:` address. The one
 * rule for requests, for configs of agents, and for what the placeholders of a config were filled with.
 *
 * @returns null for everything else
 */
export function readTransferTarget(text: string): TransferTarget | null {
  const [, user, host, port] = sipUri.exec(text) ?? [];
  if (user !== undefined && host !== undefined) {
    return isHost(host) && Number(port ?? 5060) >= 1 && Number(port ?? 5060) <= 65_535 ? readUser(user, host) : null;
  }
  const number = text.startsWith('tel:') ? text.slice('tel:'.length) : text;
  return isE164(number) ? { kind: 'number', number, digits: number, host: null } : null;
}

export const isTransferTarget = (text: string): boolean => readTransferTarget(text) !== null;

/** Whether a config may name this as its target: one that is, or that becomes one for each call by its placeholders. */
export const isTransferTemplate = (text: string): boolean => placeholdersIn(text).length > 0 || isTransferTarget(text);

/**
 * The numbers that a target may make the carrier call, E.164. Digits without a + are read as the international number, and
 * as what a trunk in the country of our own number could take them for: every one of them has to be allowed.
 *
 * @param own the account's number of the call
 */
export function numbersOfTarget(target: TransferTarget, own: string): readonly string[] {
  if (target.kind !== 'number') return [];
  const { number, digits } = target;
  const national = digits.startsWith('+') ? null : asDialedBeside(own, digits);
  return national === null || national === number ? [number] : [number, national];
}
