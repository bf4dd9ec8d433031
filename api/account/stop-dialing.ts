import { z } from 'zod';
import { guardrailsInForce } from '../../db/queries/accounts/guardrails.js';
import { dialingGateways, resumeDialing, stopDialing } from '../../db/queries/dialer/stop-dialing.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { recordAudit } from '../audit.js';
import { instant } from '../fields.js';
import { operation } from '../operation.js';

const DialingState = z
  .strictObject({
    dialingStopped: z.boolean().describe('Whether all dialing of the account is stopped'),
    dialingStoppedAt: instant().optional().describe('Since when'),
  })
  .meta({ id: 'DialingState', examples: [{ dialingStopped: true, dialingStoppedAt: '2026-11-21T09:30:00.000Z' }] });

/** POST /v1/account/stop-dialing */
export const stopDialingOfAccount = operation({
  name: 'account.stopDialing',
  method: 'POST',
  url: '/v1/account/stop-dialing',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Stop all dialing',
    description:
      'Once this is answered, nothing of the account is dialed, neither batch calls nor single ones. Running batch ' +
      'calls keep their status and show `paused: true` with `pausedReason: dialing_stopped`; no attempt is used up. ' +
      'Live calls go on unless `hangUp` is sent. Single calls cannot be created meanwhile (403), and those still ' +
      'waiting to be dialed expire after their 60 seconds. Stopping again changes nothing, but hangs up live calls ' +
      'if asked to.',
    body: z
      .strictObject({ hangUp: z.boolean().default(false).describe('Whether live calls are hung up, too') })
      .meta({ examples: [{ hangUp: false }] }),
    response: { 200: DialingState },
  },

  async handler({ caller, body: { hangUp } }, { database: { db } }) {
    const { accountId } = caller;
    const stoppedAt = await db.transaction().execute(async (tx) => {
      await recordAudit(tx, caller, 'account.stop-dialing', accountId, { hangUp });
      await stopDialing(tx, accountId, hangUp);
      return (await guardrailsInForce(tx, accountId)).dialingStoppedAt;
    });
    return {
      status: 200,
      body: { dialingStopped: true, ...(stoppedAt === null ? {} : { dialingStoppedAt: stoppedAt.toISOString() }) },
    };
  },
});

/** POST /v1/account/resume-dialing */
export const resumeDialingOfAccount = operation({
  name: 'account.resumeDialing',
  method: 'POST',
  url: '/v1/account/resume-dialing',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Resume all dialing',
    description:
      'Ends stop-dialing: running batch calls go on; those paused for another reason stay paused. Changes nothing ' +
      'if dialing is not stopped.',
    body: z.strictObject({}).meta({ examples: [{}] }),
    response: {
      200: DialingState.meta({ id: 'DialingResumed', examples: [{ dialingStopped: false }] }),
    },
  },

  async handler({ caller }, { database: { db } }) {
    const { accountId } = caller;
    const resumed = await db.transaction().execute(async (tx) => {
      await recordAudit(tx, caller, 'account.resume-dialing', accountId);
      return resumeDialing(tx, accountId);
    });
    if (resumed) await wakeGateways(db, await dialingGateways(db, accountId));
    return { status: 200, body: { dialingStopped: false } };
  },
});
