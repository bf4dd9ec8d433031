import { z } from 'zod';
import { findAccount } from '../../db/queries/accounts.js';
import { operation } from '../operation.js';

const Account = z
  .strictObject({
    accountId: z.string(),
    name: z.string(),
    limits: z.strictObject({
      requestsPerSecond: z.number().describe('Over time; the RateLimit headers say what is left'),
      requestBurst: z.int().describe('At once'),
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Account' });

/** GET /v1/account */
export const getAccount = operation({
  method: 'GET',
  url: '/v1/account',
  family: 'account',
  tag: 'Account',
  schema: { summary: 'Get the account that the token belongs to', response: { 200: Account } },

  async handler({ caller }, { database, env }) {
    const account = await findAccount(database.db, caller.accountId);
    return {
      status: 200,
      body: {
        accountId: account.id,
        name: account.name,
        limits: {
          requestsPerSecond: env.OUTDIAL_RATE_LIMIT_PER_SECOND,
          requestBurst: env.OUTDIAL_RATE_LIMIT_BURST,
        },
        createdAt: account.createdAt.toISOString(),
      },
    };
  },
});
