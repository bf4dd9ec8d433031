import { z } from 'zod';
import { findAccount } from '../../db/queries/accounts/accounts.js';
import { currencyOf } from '../../db/queries/accounts/prices.js';
import { accountUsage, type Usage as StoredUsage } from '../../db/queries/accounts/usage.js';
import { modelUsageOfAccount } from '../../db/queries/calls/model-usage.js';
import type { ModelUsage } from '../../domain/agent/model-usage.js';
import { longest } from '../../domain/agent-config/schema.js';
import { mostBatchFileBytes } from '../../domain/batch/form.js';
import { maxMetadataBytes } from '../../domain/batch/metadata-size.js';
import { Cost, costBody } from '../cost.js';
import { instant } from '../fields.js';
import { UsedModel, usedModelBody } from '../model-usage.js';
import { operation } from '../operation.js';
import { mostPerPage } from '../pagination.js';

/** Fastify's own limit, which every operation has that names no other. */
const requestBytes = 1_048_576;

const Usage = z
  .strictObject({
    calls: z.int().describe('People called for the first time'),
    attempts: z.int().describe('Attempts that reached the carrier, retries included'),
    answered: z.int().describe('Answered calls in both directions'),
    talkSeconds: z.number().describe('Seconds talked in these'),
    models: z
      .array(UsedModel)
      .describe('What models were used for calls, each with what it is paid by; counted as the calls go on'),
    cost: Cost.optional().describe(
      'Of calls in both directions and their models; omitted if the account has no prices',
    ),
  })
  .meta({ id: 'Usage' });

const Account = z
  .strictObject({
    accountId: z.string().describe('Id of the account, `acc_…`'),
    name: z.string().describe('The name that it was made with'),
    limits: z
      .strictObject({
        requestsPerSecond: z.number().describe('Over time; the RateLimit headers say what is left'),
        requestBurst: z.int().describe('At once'),
        requestBytes: z.int().describe('Largest JSON body'),
        batchFileBytes: z.int().describe('Largest file of a batch call'),
        metadataBytes: z.int().describe('Largest metadata of one call, as JSON'),
        promptCharacters: z.int().describe('Longest prompt of an agent'),
        perPage: z.int().describe('Most items on a page of a list'),
      })
      .describe('Limits of the account'),
    usage: z
      .strictObject({
        today: Usage.describe('Since midnight UTC'),
        thisMonth: Usage.describe('Since midnight UTC on the first of the month'),
        liveCalls: z.int().describe('Calls that are being dialed, ring or are answered now'),
        unfinishedBatches: z.int().describe('Batch calls that have not ended, scheduled ones included'),
        batchFileBytes: z.int().describe('Stored files of all batch calls together'),
      })
      .describe('Current and past usage. Deleting batch calls does not change past usage'),
    createdAt: instant().describe('When it was made'),
  })
  .meta({
    id: 'Account',
    examples: [
      {
        accountId: 'acc_0198c0dd-9a11-7b02-8c3d-4e5f6a7b8c9d',
        name: 'Acme Clinics',
        limits: {
          requestsPerSecond: 50,
          requestBurst: 200,
          requestBytes: requestBytes,
          batchFileBytes: mostBatchFileBytes,
          metadataBytes: maxMetadataBytes,
          promptCharacters: longest.prompt,
          perPage: mostPerPage,
        },
        usage: {
          today: { calls: 1200, attempts: 1544, answered: 871, talkSeconds: 40512.7, models: [] },
          thisMonth: {
            ...{ calls: 18250, attempts: 23101, answered: 12998, talkSeconds: 601220.4 },
            cost: { amount: 1204.31, currency: 'USD', withoutPrice: 0 },
            models: [
              {
                ...{ kind: 'llm' as const, model: 'openai/gpt-4.1-mini', inputTokens: 48_210_332 },
                ...{ cachedInputTokens: 30_112_004, outputTokens: 2_911_870 },
              },
              { kind: 'stt' as const, model: 'deepgram/nova-3', audioSeconds: 388_102.5 },
              { kind: 'tts' as const, model: 'cartesia/sonic-2', characters: 4_120_933, audioSeconds: 261_884.2 },
            ],
          },
          liveCalls: 37,
          unfinishedBatches: 2,
          batchFileBytes: 8123904,
        },
        createdAt: '2026-01-15T08:00:00.000Z',
      },
    ],
  });

const usageBody = (
  { costMicros, unpriced, ...used }: StoredUsage,
  models: readonly ModelUsage[],
  currency: string | null,
): z.output<typeof Usage> => ({
  ...used,
  models: models.map(usedModelBody),
  ...costBody({ costMicros, unpriced }, currency),
});

/** GET /v1/account */
export const getAccount = operation({
  name: 'account.get',
  method: 'GET',
  url: '/v1/account',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get the account that the token belongs to',
    description:
      'Its limits and usage. Usage is counted as calls end, so a call that has just ended may be missing; days and ' +
      'months are in UTC. Usage of models is counted during a call; simulated calls use none, and conversations in ' +
      'the playground are not counted.',
    response: { 200: Account },
  },

  async handler({ caller }, { database: { db }, env, clock }) {
    const now = clock();
    const [account, { today, thisMonth, ...usage }, models, currency] = await Promise.all([
      findAccount(db, caller.accountId),
      accountUsage(db, caller.accountId, now),
      modelUsageOfAccount(db, caller.accountId, now),
      currencyOf(db, caller.accountId),
    ]);
    return {
      status: 200,
      body: {
        accountId: account.id,
        name: account.name,
        limits: {
          requestsPerSecond: env.OUTDIAL_RATE_LIMIT_PER_SECOND,
          requestBurst: env.OUTDIAL_RATE_LIMIT_BURST,
          requestBytes,
          batchFileBytes: mostBatchFileBytes,
          metadataBytes: maxMetadataBytes,
          promptCharacters: longest.prompt,
          perPage: mostPerPage,
        },
        usage: {
          today: usageBody(today, models.today, currency),
          thisMonth: usageBody(thisMonth, models.thisMonth, currency),
          ...usage,
        },
        createdAt: account.createdAt.toISOString(),
      },
    };
  },
});
