import { z } from 'zod';

/** What a SIP header of the caller's own may be called: the X- names are nobody else's. */
const customHeaderName = /^[Xx]-[A-Za-z0-9-]{1,60}$/;
/** One line of printable text: more would write further headers into the INVITE. */
const headerValue = /^[\x20-\x7e]{0,512}$/;

/** SIP headers that an INVITE carries: at most 50, names beginning with X-. */
export const customHeaders = () =>
  z.record(z.string(), z.string()).superRefine((headers, context) => {
    const entries = Object.entries(headers);
    if (entries.length > 50) context.addIssue({ code: 'custom', message: 'must have at most 50 entries' });
    for (const [name, value] of entries) {
      if (!customHeaderName.test(name)) {
        const message = 'must have a name that begins with X- and goes on with letters, digits and dashes';
        context.addIssue({ code: 'custom', path: [name], message });
      } else if (!headerValue.test(value)) {
        const message = 'must be at most 512 printable ASCII characters on one line';
        context.addIssue({ code: 'custom', path: [name], message });
      }
    }
  });
