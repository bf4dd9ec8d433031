import { z } from 'zod';
import { removeFromDoNotCallList } from '../../db/queries/accounts/do-not-call.js';
import { notFound } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { pseudonymOf } from '../contacts/pseudonym.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';

/** DELETE /v1/do-not-call/{e164} */
export const removeFromDoNotCall = operation({
  name: 'doNotCall.remove',
  method: 'DELETE',
  url: '/v1/do-not-call/:e164',
  family: 'account',
  tag: 'Do-not-call list',
  schema: {
    summary: 'Take a number off the do-not-call list',
    description: 'It may be called again. Calls that ended because of the list stay ended.',
    params: z.object({ e164: z.string().describe('The number, E.164 with the +') }),
    response: {
      200: doneWith('The number is off the do-not-call list.'),
    },
  },

  async handler({ params: { e164 }, caller }, { database: { db } }) {
    await db.transaction().execute(async (tx) => {
      if (!(await removeFromDoNotCallList(tx, caller.accountId, e164))) {
        throw notFound('The number is not on the do-not-call list');
      }
      await recordAudit(tx, caller, 'do-not-call.remove', pseudonymOf(caller.accountId, e164));
    });
    return { status: 200, body: { message: 'The number is off the do-not-call list.' } };
  },
});
