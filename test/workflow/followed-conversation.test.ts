import { afterEach, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { settleAnalysis, storeAnalysis } from '../../db/queries/calls/analyses.js';
import { settleSummary, storeSummary } from '../../db/queries/calls/summaries.js';
import { customUrls } from '../../domain/agent/model-endpoints.js';
import { formatId } from '../../domain/ids.js';
import type { Tenant } from './fixtures.js';
import { fakeLanguageModel, type FakeLanguageModel } from './language-model.js';
import { shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
let model: FakeLanguageModel;

const languageModels = {
  serviceKey: () => undefined,
  get customUrls() {
    return customUrls({ OUTDIAL_CUSTOM_LLM_URL: model.url });
  },
};
shareTestEnv(
  () => timeSkippingTestEnv({ languageModels }),
  (env, account) => {
    [testEnv, tenant] = [env, account];
  },
);
beforeEach(async () => {
  model = await fakeLanguageModel();
});
afterEach(() => model.close());

const found = { kept: true };
const said = (text: string) => JSON.stringify([{ speaker: 'callee', text, at: '2026-03-02T09:30:09.000Z' }]);

/** An answered call of an agent that summarizes and analyzes. @returns its bare UUID */
async function anAnsweredCall(): Promise<string> {
  const { db } = testEnv.database;
  const { accountId, agentId, number, gatewayId, ruleId } = tenant;
  const owned = { account_id: accountId };
  const versionId = formatId('version', uuidv7());
  const llm = { model: 'custom/local' };
  const schema = { type: 'object', properties: { kept: { type: 'boolean' } }, required: ['kept'] };
  const config = {
    ...{ name: 'Ann', languages: { english: { prompt: 'Be kind.' } } },
    analysis: { enabled: true, model: llm, schema, success: 'kept' },
    callSummary: { enabled: true, llm, webhook: { url: 'https://hooks.example.com/summaries' } },
  };
  await db
    .insertInto('agent_versions')
    .values({
      ...{ id: versionId, ...owned, agent_id: agentId, number: 2, name: 'second', analyzes: true },
      config: JSON.stringify(config),
    })
    .execute();
  const id = uuidv7();
  await db
    .insertInto('calls')
    .values({
      ...{ id, ...owned, to_number: '+919876543210', from_number: number, rule_id: ruleId, gateway_id: gatewayId },
      ...{ agent_id: agentId, version_id: versionId, metadata: '{}', simulated: false },
      ...{ status: 'answered', attempts_made: 1, talk_seconds: 12.5, transcript: said('Call me tomorrow.') },
    })
    .execute();
  await db
    .insertInto('call_attempts')
    .values({
      ...{ call_id: id, number: 1, ...owned, gateway_id: gatewayId, to_number: '+919876543210' },
      ...{ due_at: new Date(0), phase: 'ended', outcome: 'answered', dialed_at: new Date(0) },
    })
    .execute();
  return id;
}

/** The callback has been answered and is over, as the commit of its end leaves it (db/queries/dialer/commit-progress.ts). */
async function isCalledBack(callId: string): Promise<void> {
  const { pool } = testEnv.database;
  await pool.query(
    `insert into call_attempts (call_id, number, account_id, gateway_id, to_number, due_at, dialed_at, phase, outcome, again)
      select call_id, 2, account_id, gateway_id, to_number, due_at, dialed_at, phase, outcome, true
      from call_attempts where call_id = $1`,
    [callId],
  );
  await pool.query(
    `update calls set attempts_made = 2, transcript = $2, analysis = null, analysis_error = null, success = null,
      analyzed_at = null, summary = null, summary_error = null where id = $1`,
    [callId, said('Make it Friday.')],
  );
}

const storedOf = (callId: string) =>
  testEnv.database.db
    .selectFrom('calls')
    .select(['analysis', 'analysis_error', 'success', 'summary', 'summary_error'])
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
const nothing = { analysis: null, analysis_error: null, success: null, summary: null, summary_error: null };

const kinds = [
  { name: 'analyzeCall', part: 'analysis', reply: JSON.stringify(found), made: { analysis: found, success: true } },
  { name: 'summarizeCall', part: 'summary', reply: 'It is Friday.', made: { summary: 'It is Friday.' } },
] as const;

test.each(kinds)(
  '$name: a conversation that is over while the model still fails for the one before has its own',
  async ({ name, part, reply, made }) => {
    model.replies = [503, reply];
    const callId = await anAnsweredCall();
    const input = { accountId: tenant.accountId, callId };
    const first = `${formatId('call', callId)}/${part}`;
    await testEnv.workflows.start(name, first, { ...input, attempt: 1 });
    await testEnv.until(() => Promise.resolve(model.asked.length === 1));
    await isCalledBack(callId);
    await testEnv.workflows.start(name, `${first}/2`, { ...input, attempt: 2 });
    await testEnv.client.workflow.getHandle(`${first}/2`).result();
    await testEnv.client.workflow.getHandle(first).result();

    expect(await storedOf(callId)).toEqual({ ...nothing, ...made });
    expect(model.asked).toHaveLength(2);
    expect(model.asked[1]!.messages[1]!.content).toContain('Make it Friday.');
  },
);

test('what was made of a conversation is neither stored nor told once another one is over', async () => {
  const { db } = testEnv.database;
  const callId = await anAnsweredCall();
  const first = { accountId: tenant.accountId, callId, attempt: 1 };
  await isCalledBack(callId);
  await storeAnalysis(db, first, { kept: false }, false);
  await settleAnalysis(db, first, 'unavailable');
  await storeSummary(db, first, 'Tomorrow.');
  await settleSummary(db, first, 'unavailable');
  expect(await storedOf(callId)).toEqual(nothing);
  expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  // The one that is meant is stored.
  await storeSummary(db, { ...first, attempt: 2 }, 'Friday.');
  expect(await storedOf(callId)).toEqual({ ...nothing, summary: 'Friday.' });
});
