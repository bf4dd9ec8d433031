import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Database, openDatabase } from '../../../db/client.js';
import { settleAnalysis, storeAnalysis } from '../../../db/queries/calls/analyses.js';
import { settleSummary, storeSummary } from '../../../db/queries/calls/summaries.js';
import { formatId } from '../../../domain/ids.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
let versions = 1;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 5, name: 'test' });
  tenant = await aTenant(database.db);
  await database.db
    .insertInto('sip_webhooks')
    .values({
      ...{ id: formatId('sipWebhook', uuidv7()), account_id: tenant.accountId, url: 'https://hooks.example.com/calls' },
      ...{ events: ['call-analyzed'], created_at: new Date(0) },
    })
    .execute();
});
afterAll(async () => {
  await database.close();
  await own.close();
});

/** An answered call of an agent that summarizes and analyzes. @returns its first conversation */
async function aConversation() {
  const { accountId, agentId, number, gatewayId, ruleId } = tenant;
  const owned = { account_id: accountId };
  const [versionId, callId] = [formatId('version', uuidv7()), uuidv7()];
  const config = {
    ...{ name: 'Ann', languages: { english: { prompt: 'Be kind.' } } },
    analysis: { enabled: true, schema: { type: 'object', properties: { kept: { type: 'boolean' } } }, success: 'kept' },
    callSummary: { enabled: true, webhook: { url: 'https://hooks.example.com/summaries' } },
  };
  await database.db
    .insertInto('agent_versions')
    .values({
      ...{ id: versionId, ...owned, agent_id: agentId, number: (versions += 1), name: 'next', analyzes: true },
      config: JSON.stringify(config),
    })
    .execute();
  await database.db
    .insertInto('calls')
    .values({
      ...{ id: callId, ...owned, to_number: '+919876543210', from_number: number, rule_id: ruleId },
      ...{ gateway_id: gatewayId, agent_id: agentId, version_id: versionId, metadata: '{}', simulated: false },
      ...{ status: 'answered', attempts_made: 1, talk_seconds: 12.5, transcript: '[]' },
    })
    .execute();
  await anAttempt(callId, 1, 'answered');
  return { accountId, callId, attempt: 1 };
}

/** An attempt that is over, a minute after the one before. */
async function anAttempt(callId: string, number: number, outcome: 'answered' | 'missed'): Promise<void> {
  const { accountId, gatewayId } = tenant;
  const at = new Date(Date.UTC(2026, 2, 2, 9, number));
  await database.db
    .insertInto('call_attempts')
    .values({
      ...{ call_id: callId, number, account_id: accountId, gateway_id: gatewayId, to_number: '+919876543210' },
      ...{ phase: 'ended', outcome, due_at: at, dialed_at: at, ended_at: at, again: number > 1 },
      ...(outcome === 'answered' ? { answered_at: at } : {}),
    })
    .execute();
  await database.db
    .updateTable('calls')
    .set({ attempts_made: number, status: outcome })
    .where('id', '=', callId)
    .execute();
}

const storedOf = (callId: string) =>
  database.db
    .selectFrom('calls')
    .select(['summary', 'summary_error', 'analysis', 'analysis_error', 'success'])
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
async function toldOf(callId: string) {
  const rows = await database.db
    .selectFrom('webhook_deliveries')
    .select(['event', 'payload'])
    .where('call_id', '=', callId)
    .orderBy('id')
    .execute();
  return rows.map(({ event, payload }) => ({ event, ...(JSON.parse(payload) as Record<string, unknown>) }));
}

test('a summary that comes after its webhook has told why there is none is not kept: the record says what was told', async () => {
  const { db } = database;
  const conversation = await aConversation();
  await settleSummary(db, conversation, 'unavailable');
  // A run that Temporal has given up goes on, and another one of its workflow finds nothing left to do.
  await storeSummary(db, conversation, 'Too late.');
  await settleSummary(db, conversation, null);
  expect(await storedOf(conversation.callId)).toMatchObject({ summary: null, summary_error: 'unavailable' });
  expect(await toldOf(conversation.callId)).toMatchObject([{ summary: null, summaryError: 'unavailable' }]);
});

test('an analysis that comes after webhooks have heard why there is none is not kept: the record says what they heard', async () => {
  const { db } = database;
  const conversation = await aConversation();
  await settleAnalysis(db, conversation, 'unavailable');
  await storeAnalysis(db, conversation, { kept: true }, true);
  await settleAnalysis(db, conversation, null);
  const { callId } = conversation;
  expect(await storedOf(callId)).toMatchObject({ analysis: null, analysis_error: 'unavailable', success: null });
  expect(await toldOf(callId)).toMatchObject([
    { webhookType: 'call-analyzed', data: { analysisError: 'unavailable' } },
  ]);
});

test('the summary of a conversation is told once, also if it is settled again after an unanswered attempt', async () => {
  const { db } = database;
  const conversation = await aConversation();
  const { callId } = conversation;
  await storeSummary(db, conversation, 'Call me tomorrow.');
  await settleSummary(db, conversation, null);
  await anAttempt(callId, 2, 'missed');
  await settleSummary(db, conversation, null);
  expect(await toldOf(callId)).toMatchObject([{ summary: 'Call me tomorrow.', startedAt: '2026-03-02T09:01:00.000Z' }]);
});

test('the summary that is told after another attempt has failed is that of its conversation, with the time of that', async () => {
  const { db } = database;
  const conversation = await aConversation();
  const { callId } = conversation;
  await anAttempt(callId, 2, 'missed');
  await storeSummary(db, conversation, 'Call me tomorrow.');
  await settleSummary(db, conversation, null);
  await settleSummary(db, conversation, null);
  expect(await toldOf(callId)).toMatchObject([
    { event: 'call-summary', summary: 'Call me tomorrow.', startedAt: '2026-03-02T09:01:00.000Z' },
  ]);
});
