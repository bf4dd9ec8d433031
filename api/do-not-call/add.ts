import { addToDoNotCallList } from '../../db/queries/accounts/do-not-call.js';
import { stopWaitingCalls } from '../../db/queries/calls/stop-waiting.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { readNumbersToAdd } from './read-body.js';
import { Added, AddToDoNotCall, AddToDoNotCallForm, mostNumbers } from './schema.js';
import { traceCallsOver } from '../calls-over.js';

/**
 * POST /v1/do-not-call
 *
 * The numbers hold from their commit on, since every gate reads the list; ending calls that wait is done after it and may
 * be cut off: what is left ends when its turn comes.
 */
export const addToDoNotCall = operation({
  name: 'doNotCall.add',
  method: 'POST',
  url: '/v1/do-not-call',
  family: 'account',
  tag: 'Do-not-call list',
  idempotent: true,
  bodyLimit: 5_242_880,
  mostEntries: mostNumbers,
  schema: {
    summary: 'Add numbers to the do-not-call list',
    description:
      'Takes JSON, or a form with a file. Once this is answered, no call to these numbers is started. Calls that ' +
      'wait, for a retry too, end `failed` with the reason `do_not_call`; live ones go on. Numbers already on the ' +
      'list keep their entry and reason. Rows of a file whose number cannot be read are answered under ' +
      '`rejectedRows`; the others are added. A file that cannot be read, or has no phone_number column, is 400.',
    documentedBody: { contentType: 'application/json', schema: AddToDoNotCall, form: AddToDoNotCallForm },
    response: { 201: Added },
  },

  async handler(request, deps) {
    const { caller, raw } = request;
    const { accountId } = caller;
    const { numbers, reason, rejected, rejectedRows, content } = await readNumbersToAdd(raw);
    const answer = await withIdempotency(request, deps, content, async (tx) => {
      await recordAudit(tx, caller, 'do-not-call.add', accountId, { numbers: numbers.length });
      const added = await addToDoNotCallList(tx, accountId, numbers, reason);
      const alreadyListed = numbers.length - added;
      return { status: 201 as const, body: { added, alreadyListed, rejected, rejectedRows: [...rejectedRows] } };
    });
    try {
      await stopWaitingCalls(deps.database.db, accountId, numbers, (callIds) => traceCallsOver(deps, callIds));
    } catch (error) {
      deps.logger.warn({ err: error, accountId }, 'calls to listed numbers still wait; they end when their turn comes');
    }
    deps.temporal.kick();
    return answer;
  },
});
