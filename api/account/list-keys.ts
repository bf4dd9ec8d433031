import { z } from 'zod';
import { pageOfKeys } from '../../db/queries/accounts/keys.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { ApiKey, keyBody } from './key-schema.js';

/** GET /v1/account/keys */
export const listApiKeys = operation({
  name: 'apiKeys.list',
  method: 'GET',
  url: '/v1/account/keys',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'List API keys, newest first',
    description: 'Deleted keys are listed too, as not active. Secrets are never shown again.',
    query: z.object({
      ...pageQuery,
      active: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional()
        .describe('`true`: only those whose tokens are accepted; `false`: only deleted ones'),
    }),
    response: { 200: pageOf(ApiKey) },
  },

  async handler({ query, caller }, { database }) {
    const { total, keys } = await pageOfKeys(database.db, caller.accountId, {
      active: query.active,
      ...rowsOfPage(query),
    });
    return { status: 200, body: pageBody(query, total, keys.map(keyBody)) };
  },
});
