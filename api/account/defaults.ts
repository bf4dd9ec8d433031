import { z } from 'zod';
import { findAccountDefaults, putAccountDefaults, type StoredDefaults } from '../../db/queries/accounts/defaults.js';
import { unfilledRules } from '../../domain/account/defaults.js';
import { PreDialAnswer, PreDialInput } from '../../domain/batch/pre-dial.js';
import { CallingWindowInput } from '../../domain/call/calling-window-input.js';
import { isDialedCountry, noCountry } from '../../domain/phone/number-kind.js';
import { ownNameOfZone, zoneProblem } from '../../domain/call/time-zone.js';
import { recordAudit } from '../audit.js';
import { CallingWindowAnswer, windowBody } from '../../domain/call/calling-window-answer.js';
import { preDialProblems } from '../batch-calls/update-body.js';
import { instant } from '../fields.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { readOnly } from '../read-only.js';
import { invalidRequest } from '../validation.js';

const texts = {
  timezone:
    'IANA name: of a schedule that names no timezone, and of callees of whom no time zone is known. Omitted: ' +
    'Asia/Calcutta.',
  country:
    'ISO 3166-1 alpha-2: numbers in a file that have no + are read as numbers of this country if they are valid ' +
    'ones, and reported as corrected. Not of a batch call that sends missingPlus. Omitted: they are rejected.',
  callingWindow: 'Hours in which calls may start, as in create batch call. Omitted: at any hour.',
  preDial: 'Endpoint that is asked about recipients before they are dialed. Omitted: nobody is.',
  unfilled:
    'What is done about a placeholder of prompt or greeting that nothing fills; see create batch call. Omitted: allow.',
};

/** What PUT takes. Each field omitted goes back to its default. */
const PutDefaults = z
  .strictObject({
    timezone: z
      .string()
      .superRefine((name, context) => {
        const problem = zoneProblem(name);
        if (problem !== null) context.addIssue(problem);
      })
      .transform(ownNameOfZone)
      .optional()
      .describe(texts.timezone),
    country: z
      .string()
      .refine((code) => code !== noCountry && isDialedCountry(code), {
        error: 'must be an ISO 3166-1 country code such as US',
      })
      .optional()
      .describe(texts.country),
    callingWindow: CallingWindowInput.optional().describe(texts.callingWindow),
    unfilledPlaceholders: z.enum(unfilledRules).optional().describe(texts.unfilled),
    preDial: PreDialInput.optional().describe(texts.preDial),
    updatedAt: readOnly(),
  })
  .meta({
    id: 'PutAccountDefaults',
    examples: [{ timezone: 'America/Chicago', country: 'US', unfilledPlaceholders: 'reject' }],
  });

/** What GET and PUT answer. */
const DefaultsBody = z
  .strictObject({
    timezone: z.string().optional().describe(texts.timezone),
    country: z.string().optional().describe(texts.country),
    callingWindow: CallingWindowAnswer.optional().describe(texts.callingWindow),
    unfilledPlaceholders: z.enum(unfilledRules).optional().describe(texts.unfilled),
    preDial: PreDialAnswer.optional().describe(texts.preDial),
    updatedAt: instant().optional().describe('When the defaults were set; omitted while they never were'),
  })
  .meta({
    id: 'AccountDefaults',
    examples: [
      {
        timezone: 'America/Chicago',
        country: 'US',
        unfilledPlaceholders: 'reject',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

function defaultsBody(stored: (StoredDefaults & { readonly updatedAt: Date }) | null): z.output<typeof DefaultsBody> {
  if (stored === null) return {};
  const { timezone, country, callingWindow, unfilledPlaceholders, preDial, updatedAt } = stored;
  return {
    ...(timezone === null ? {} : { timezone }),
    ...(country === null ? {} : { country }),
    ...(callingWindow === null ? {} : { callingWindow: windowBody(callingWindow) }),
    ...(unfilledPlaceholders === null ? {} : { unfilledPlaceholders }),
    ...(preDial === null ? {} : { preDial }),
    updatedAt: updatedAt.toISOString(),
  };
}

/** GET /v1/account/defaults */
export const getAccountDefaults = operation({
  name: 'accountDefaults.get',
  method: 'GET',
  url: '/v1/account/defaults',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get the defaults of new batch calls',
    description: 'Used by a batch call that does not set its own. A field that was not set is omitted.',
    response: { 200: DefaultsBody },
  },

  async handler({ caller }, { database: { db } }) {
    return { status: 200, body: defaultsBody(await findAccountDefaults(db, caller.accountId)) };
  },
});

/** PUT /v1/account/defaults */
export const putDefaultsOfAccount = operation({
  name: 'accountDefaults.replace',
  method: 'PUT',
  url: '/v1/account/defaults',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Set the defaults of new batch calls',
    description:
      'Replaces them as a whole: an omitted field goes back to its default. They hold for batch calls created, and ' +
      'schedules changed, after this is answered; existing ones keep their values.',
    body: PutDefaults,
    bodyProblems: (body, { env }) => preDialProblems(body, env),
    response: { 200: DefaultsBody },
  },

  async handler({ caller, body }, { database: { db } }) {
    const { accountId } = caller;
    const stored = await db.transaction().execute(async (tx) => {
      const before = defaultsBody(await findAccountDefaults(tx, accountId));
      const problems = changedReadOnly(body, before, ['updatedAt']);
      if (problems.length > 0) throw invalidRequest(problems);
      const defaults: StoredDefaults = {
        timezone: body.timezone ?? null,
        country: body.country ?? null,
        callingWindow: body.callingWindow ?? null,
        unfilledPlaceholders: body.unfilledPlaceholders ?? null,
        preDial: body.preDial ?? null,
      };
      await putAccountDefaults(tx, accountId, defaults);
      await recordAudit(tx, caller, 'account.defaults', accountId, defaults);
      return findAccountDefaults(tx, accountId);
    });
    return { status: 200, body: defaultsBody(stored) };
  },
});
