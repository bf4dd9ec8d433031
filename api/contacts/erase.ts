import { eraseContact } from '../../db/queries/accounts/erase-contact.js';
import { conflict } from '../../domain/errors.js';
import { isE164 } from '../../domain/phone/phone-number.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { pseudonymOf } from './pseudonym.js';
import { contactParams, contactUnknown } from './schema.js';

/** DELETE /v1/contacts/{e164} */
export const eraseContactOfAccount = operation({
  name: 'contacts.erase',
  method: 'DELETE',
  url: '/v1/contacts/:e164',
  family: 'account',
  tag: 'Contacts',
  schema: {
    summary: 'Erase a person',
    description:
      'Erases, at once and for good, the number and everything kept under it: names, metadata, transcripts, ' +
      'summaries and recordings of its calls, rejected rows, and undelivered webhooks. Calls that wait are ' +
      'cancelled, live ones are hung up, and what results from them is not kept. The calls stay with their status and ' +
      'times, so that all counts stay as they are; their `to` and `phoneNumber` read `erased`. The uploaded file of ' +
      'every batch call that holds the number is emptied, and so are files that were never read to their end.\n\n' +
      'The entry on the do-not-call list stays, so that the person is not called again. The audit log keeps a ' +
      'pseudonym. Stored answers to an Idempotency-Key are sealed and go after 24 hours. While a file of the account ' +
      'that may hold the person is being read, the answer is 409 and nothing is erased.',
    params: contactParams,
    response: {
      200: doneWith('Erased: 3 calls, 0 rejected rows, 1 file.'),
    },
    errors: [409],
  },

  async handler({ params: { e164 }, caller }, deps) {
    const { accountId } = caller;
    if (!isE164(e164)) throw contactUnknown();
    const message = await deps.database.db.transaction().execute(async (tx) => {
      const erasure = await eraseContact(tx, accountId, e164);
      if (erasure.outcome === 'unknown') throw contactUnknown();
      if (erasure.outcome === 'reading') {
        throw conflict(
          `The file of ${erasure.batchId} is being read and may hold the person. Ask again when it has been.`,
        );
      }
      const { calls, rejectedRows, files } = erasure;
      await recordAudit(tx, caller, 'contact.erase', pseudonymOf(accountId, e164), { calls, rejectedRows, files });
      const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
      return `Erased: ${counted(calls, 'call')}, ${counted(rejectedRows, 'rejected row')}, ${counted(files, 'file')}.`;
    });
    deps.temporal.kick();
    return { status: 200, body: { message } };
  },
});
