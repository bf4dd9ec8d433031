import { guardrailsInForce, putGuardrails } from '../../db/queries/accounts/guardrails.js';
import { dialingGateways } from '../../db/queries/dialer/stop-dialing.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { wideningProblems } from '../../domain/account/operator-limits.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { invalidRequest } from '../validation.js';
import { GuardrailsBody, guardrailsBody, guardrailsOf, PutGuardrails } from './guardrails-schema.js';

const url = '/v1/account/guardrails';

/** GET /v1/account/guardrails */
export const getGuardrails = operation({
  name: 'guardrails.get',
  method: 'GET',
  url,
  family: 'account',
  tag: 'Account',
  ofGuardrails: true,
  schema: {
    summary: 'Get the guardrails of all dialing',
    description:
      'Limits of every call of the account, single or of a batch call. The defaults hold while nothing has been ' +
      'set: only countries of the account’s own numbers, neither premium-rate nor satellite numbers, at any hour.',
    response: { 200: GuardrailsBody },
  },

  async handler({ caller }, { database: { db } }) {
    return { status: 200, body: guardrailsBody(await guardrailsInForce(db, caller.accountId)) };
  },
});

/** PUT /v1/account/guardrails */
export const putGuardrailsOfAccount = operation({
  name: 'guardrails.replace',
  method: 'PUT',
  url,
  family: 'account',
  tag: 'Account',
  ofGuardrails: true,
  schema: {
    summary: 'Set the guardrails of all dialing',
    description:
      'Replaces them as a whole: an omitted field goes back to its default. They hold for every call that is not dialed ' +
      'yet, also in running batch calls. A call of a batch to a number that may not be called ends `failed` with the ' +
      'reason `country_not_allowed`, `premium_rate_number`, `satellite_number`, or `calling_hours` if no hour is open in ' +
      'all its zones; no attempt is used up. Outside of the calling hours, and once a number has had its attempts of the ' +
      'day, its call waits, until a change allows it, too. A single call is answered 403 instead.\n\n' +
      'The hours must be open in every time zone that the number may be in. A day is the callee’s; in several zones it ' +
      'begins at the earliest of their midnights. If no zone is known, as of toll-free numbers, it is UTC. Attempts that ' +
      'reached no carrier do not count.\n\n' +
      'A token or key with permissions needs `guardrails` among them: `operate` is not enough.\n\n' +
      'Limits of the operator (`operatorLimits`) can be narrowed but not widened: 400 names each field that would.',
    body: PutGuardrails,
    response: { 200: GuardrailsBody },
  },

  async handler({ caller, body }, { database: { db }, temporal }) {
    const { accountId } = caller;
    const inForce = await db.transaction().execute(async (tx) => {
      const inForceBefore = await guardrailsInForce(tx, accountId);
      const before = guardrailsBody(inForceBefore);
      const problems = changedReadOnly(body, before, [
        'countriesInForce',
        'operatorLimits',
        'dialingStopped',
        'dialingStoppedAt',
        'updatedAt',
      ]);
      const guardrails = guardrailsOf(body);
      problems.push(...wideningProblems(inForceBefore.operator, guardrails));
      if (problems.length > 0) throw invalidRequest(problems);
      await recordAudit(tx, caller, 'guardrails.update', accountId, guardrails);
      await putGuardrails(tx, accountId, guardrails);
      return guardrailsInForce(tx, accountId);
    });
    temporal.kick();
    await wakeGateways(db, await dialingGateways(db, accountId));
    return { status: 200, body: guardrailsBody(inForce) };
  },
});
