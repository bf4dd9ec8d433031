import { z } from 'zod';
import { deleteKeyRow } from '../../db/queries/accounts/keys.js';
import { conflict, notFound } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';

/** DELETE /v1/account/keys/{keyId} */
export const deleteApiKey = operation({
  name: 'apiKeys.delete',
  method: 'DELETE',
  url: '/v1/account/keys/:keyId',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Delete an API key',
    description:
      'Once this is answered, every token of the key is refused with 401. It stays in the list, not active, because ' +
      'the audit log names it; deleting it again changes nothing. A key may delete itself. The last key that may do ' +
      'everything (or `operate`, if none may do everything) cannot be deleted (409): no other could be made. What ' +
      'the key has started goes on.',
    params: z.strictObject({ keyId: z.string().describe('Id of the key, `key_…`') }),
    response: { 200: doneWith('The key is deleted: its tokens are refused.') },
    errors: [409],
  },

  async handler({ params: { keyId }, caller }, { database: { db } }) {
    const result = await db.transaction().execute(async (tx) => {
      const deleted = await deleteKeyRow(tx, caller.accountId, keyId);
      if (deleted === 'done') await recordAudit(tx, caller, 'key.delete', keyId);
      return deleted;
    });
    if (result === 'unknown') throw notFound('Key not found');
    if (result === 'last') {
      throw conflict('This is the last active key of the account that may do as much. Create another one first.');
    }
    return { status: 200, body: { message: 'The key is deleted: its tokens are refused.' } };
  },
});
