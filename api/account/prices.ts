import {
  findPrices,
  hasCosts,
  lockGateways,
  lockPrices,
  putPrices,
  type AccountPrices,
} from '../../db/queries/accounts/prices.js';
import { keptMaxCosts, type KeptMaxCosts } from '../../db/queries/batches/max-cost.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { invalidRequest } from '../validation.js';
import {
  PricesBody,
  pricesBody,
  problemsOfPrices,
  PutPrices,
  storedCallPrice,
  storedModelPrice,
} from './prices-schema.js';

/** GET /v1/account/prices */
export const getPrices = operation({
  name: 'accountPrices.get',
  method: 'GET',
  url: '/v1/account/prices',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get the prices',
    description: 'Without prices nothing has a `cost`.',
    response: { 200: PricesBody },
  },

  async handler({ caller }, { database: { db } }) {
    return { status: 200, body: pricesBody(await findPrices(db, caller.accountId)) };
  },
});

/** Most changed prices that the audit log names one by one. */
const mostLogged = 50;

function changed(before: readonly object[], after: readonly object[]) {
  const only = (prices: readonly object[], others: readonly object[]): object[] => {
    const known = new Set(others.map((price) => JSON.stringify(price)));
    return prices.filter((price) => !known.has(JSON.stringify(price)));
  };
  return { added: only(after, before), removed: only(before, after) };
}

function changesOf(before: AccountPrices | null, after: AccountPrices): object {
  const calls = changed(before?.calls ?? [], after.calls);
  const models = changed(before?.models ?? [], after.models);
  const counted = (all: readonly object[], { added, removed }: typeof calls) => ({
    prices: all.length,
    added: added.length,
    removed: removed.length,
  });
  return {
    currency: after.currency,
    calls: counted(after.calls, calls),
    ...(models.added.length + models.removed.length === 0 ? {} : { models: counted(after.models, models) }),
    added: [...calls.added, ...models.added].slice(0, mostLogged),
    removed: [...calls.removed, ...models.removed].slice(0, mostLogged),
  };
}

/** @throws Failure `conflict` if a `maxCost` would be of another currency, or could not be kept */
function requireKept({ any, unpriced }: KeptMaxCosts, before: string | null, currency: string): void {
  if (before !== null && before !== currency && any.length > 0) {
    throw conflict(`${any.join(', ')} has a maxCost in ${before}: the currency cannot be changed as long as it has.`);
  }
  if (unpriced.length > 0) {
    throw conflict(
      `${unpriced.join(', ')} has a maxCost, and no price would be left for its calls. Keep one, or take its maxCost away first.`,
    );
  }
}

/** PUT /v1/account/prices */
export const putPricesOfAccount = operation({
  name: 'accountPrices.replace',
  method: 'PUT',
  url: '/v1/account/prices',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Set the prices',
    description:
      'Replaces both lists as a whole. An answered attempt is priced once, when it is over, what its models use as it is ' +
      'stored, by the prices of that instant; what is priced stays. Simulated calls are priced as real ones. 409: another ' +
      'currency, and something has been priced or has a `maxCost`; no price left for a batch call that has one.',
    body: PutPrices,
    bodyProblems: problemsOfPrices,
    response: { 200: PricesBody },
    errors: [409],
  },

  async handler({ caller, body }, { database: { db } }) {
    const { accountId } = caller;
    const given = body.models?.map(storedModelPrice);
    const prices = {
      currency: body.currency,
      calls: body.calls.map(storedCallPrice),
      ...(given === undefined ? {} : { models: given }),
    };
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
      const kept = await keptMaxCosts(tx, accountId, prices.calls);
      requireKept(kept, before?.currency ?? null, prices.currency);
      await putPrices(tx, accountId, prices);
      await recordAudit(
        tx,
        caller,
        'account.prices',
        accountId,
        changesOf(before, { models: before?.models ?? [], ...prices }),
      );
      return findPrices(tx, accountId);
    });
    return { status: 200, body: pricesBody(stored) };
  },
});
