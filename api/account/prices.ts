import {
  findPrices,
  hasCosts,
  lockGateways,
  lockPrices,
  putPrices,
  type AccountPrices,
} from '../../db/queries/accounts/prices.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { invalidRequest } from '../validation.js';
import { PricesBody, pricesBody, PutPrices, repeatedPrices, storedCallPrice } from './prices-schema.js';

/** GET /v1/account/prices */
export const getPrices = operation({
  name: 'accountPrices.get',
  method: 'GET',
  url: '/v1/account/prices',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get the prices of calls',
    description: 'Without prices nothing has a `cost`.',
    response: { 200: PricesBody },
  },

  async handler({ caller }, { database: { db } }) {
    return { status: 200, body: pricesBody(await findPrices(db, caller.accountId)) };
  },
});

/** Most changed prices that the audit log names one by one. */
const mostLogged = 50;

function changesOf(before: AccountPrices | null, after: AccountPrices): object {
  const had = new Set(before?.calls.map((price) => JSON.stringify(price)));
  const has = new Set(after.calls.map((price) => JSON.stringify(price)));
  const only = (prices: readonly object[] = [], others: ReadonlySet<string>) =>
    prices.filter((price) => !others.has(JSON.stringify(price)));
  const [added, removed] = [only(after.calls, had), only(before?.calls, has)];
  return {
    currency: after.currency,
    calls: { prices: after.calls.length, added: added.length, removed: removed.length },
    added: added.slice(0, mostLogged),
    removed: removed.slice(0, mostLogged),
  };
}

/** PUT /v1/account/prices */
export const putPricesOfAccount = operation({
  name: 'accountPrices.replace',
  method: 'PUT',
  url: '/v1/account/prices',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Set the prices of calls',
    description:
      'Replaces them as a whole. An answered attempt is priced once, when it is over, by the prices of that instant; ' +
      'what is priced stays as it is. Simulated calls are priced as if they were real. 409: another currency, and calls ' +
      'have been priced.',
    body: PutPrices,
    bodyProblems: repeatedPrices,
    response: { 200: PricesBody },
    errors: [409],
  },

  async handler({ caller, body }, { database: { db } }) {
    const { accountId } = caller;
    const prices = { currency: body.currency, calls: body.calls.map(storedCallPrice) };
    const stored = await db.transaction().execute(async (tx) => {
      const before = await lockPrices(tx, accountId, prices.currency);
      const known = await lockGateways(
        tx,
        accountId,
        prices.calls.flatMap(({ gatewayId }) => gatewayId ?? []),
      );
      const problems = [
        ...changedReadOnly(body, pricesBody(before), ['updatedAt']),
        ...prices.calls.flatMap(({ gatewayId }, index) =>
          gatewayId === null || known.has(gatewayId)
            ? []
            : [{ path: `calls[${index}].gatewayId`, code: 'INVALID_VALUE', message: 'is no gateway of this account' }],
        ),
      ];
      if (problems.length > 0) throw invalidRequest(problems);
      if (before !== null && before.currency !== prices.currency && (await hasCosts(tx, accountId))) {
        throw conflict(`Calls have been priced in ${before.currency}: the currency cannot be changed any more.`);
      }
      await putPrices(tx, accountId, prices);
      await recordAudit(tx, caller, 'account.prices', accountId, changesOf(before, prices));
      return findPrices(tx, accountId);
    });
    return { status: 200, body: pricesBody(stored) };
  },
});
