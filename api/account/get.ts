import { z } from 'zod';
import { findAccount } from '../../db/queries/accounts.js';
import { operation } from '../operation.js';

const Account = z
  .strictObject({
    accountId: z.string().describe('Id of the account'),
    name: z.string().describe('As it was given when the account was made'),
    limits: z
      .strictObject({
        requestsPerSecond: z.number().describe('Over time; the RateLimit headers say what is left'),
        requestBurst: z.int().describe('At once'),
      })
      .describe('What the account may do'),
    createdAt: z.iso.datetime().describe('When the account was made'),
  })
  .meta({
    id: 'Account',
    examples: [
      {
        accountId: 'acc_0198f6e1-77aa-7b3c-9d4e-0f1a2b3c4d5e',
        name: 'Main Street Clinic',
        limits: { requestsPerSecond: 50, requestBurst: 200 },
        createdAt: '2026-01-12T08:30:00.000Z',
      },
    ],
  });

/** GET /v1/account */
export const getAccount = operation({
  method: 'GET',
  url: '/v1/account',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get the account that the token belongs to',
    description: 'Its name and its limits.',
    response: { 200: Account },
  },

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
