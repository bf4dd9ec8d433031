import { z } from 'zod';

/** What a SIP header of the caller's own may be called: only X- names are free to use. */
const customHeaderName = /^[Xx]-[A-Za-z0-9-]{1,60}$/;
/** One line of printable text: more would write further headers into the INVITE. */
const headerValue = /^[\x20-\x7e]{0,512}$/;

/** Headers that tell trunks who calls (RFC 3325, RFC 3323, RFC 5806). */
const identityHeaderName = /^(P-Asserted-Identity|P-Preferred-Identity|Remote-Party-ID|Privacy|Diversion)$/i;

const headersNamed = (isName: (name: string) => boolean, words: string) =>
  z.record(z.string(), z.string()).superRefine((headers, context) => {
    const entries = Object.entries(headers);
    if (entries.length > 50) context.addIssue({ code: 'custom', message: 'must have at most 50 entries' });
    for (const [name, value] of entries) {
      if (!isName(name)) {
        context.addIssue({ code: 'custom', path: [name], message: `must have a name that ${words}` });
      } else if (!headerValue.test(value)) {
        const message = 'must be at most 512 printable ASCII characters on one line';
        context.addIssue({ code: 'custom', path: [name], message });
      }
    }
  });

/** SIP headers that an INVITE carries: at most 50, names beginning with X-. */
export const customHeaders = () =>
  headersNamed((name) => customHeaderName.test(name), 'begins with X- and goes on with letters, digits and dashes');

/** SIP headers that every INVITE of a gateway carries: those of `customHeaders`, and those that name the caller. */
export const trunkHeaders = () =>
  headersNamed(
    (name) => customHeaderName.test(name) || identityHeaderName.test(name),
    'begins with X-, or is one of P-Asserted-Identity, P-Preferred-Identity, Remote-Party-ID, Privacy and Diversion',
  );
