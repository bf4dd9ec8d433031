import { EventEmitter } from 'node:events';
import type { llm, metrics } from '@livekit/agents';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTranscriptOpen } from '../../db/queries/calls/agent-runs.js';
import { createLogger } from '../../platform/logger.js';
import { dialerTestEnv, type DialerTestEnv } from '../../test/integration/dialer/test-env.js';
import { keepRecord } from '../conversation/record.js';

let testEnv: DialerTestEnv;
beforeAll(async () => {
  testEnv = await dialerTestEnv();
});
afterAll(() => testEnv.close());

test('the end of a conversation is stored although the database is away when the call ends', async () => {
  const { db } = testEnv.database;
  const { accountId } = testEnv;
  const [callId = ''] = await testEnv.calls(await testEnv.gateway(), null, ['+15550300001']);
  const logged: string[] = [];
  const logger = createLogger('agent', 'warn', { write: (line: string) => logged.push(line) });
  const leg = { accountId, callId, attempt: 1 };
  const record = keepRecord({ db, leg, run: 'job', said: [], logger });
  await expect.poll(() => isTranscriptOpen(db, accountId, callId)).toBe(true);

  await sql`alter schema public rename to away`.execute(db);
  record.transcript.add('callee', 'Monday is fine.', new Date());
  const model = new EventEmitter();
  record.usage.watch(model as unknown as llm.LLM, 'custom/m');
  const used: Partial<metrics.LLMMetrics> = {
    type: 'llm_metrics',
    promptTokens: 7,
    promptCachedTokens: 0,
    completionTokens: 3,
  };
  model.emit('metrics_collected', used);
  record.timings.greets();
  record.timings.answered(1_000);
  record.timings.sounded(1_250);
  const closed = record.close();
  const failures = (what: string) => logged.filter((line) => line.includes(`${what} could not be stored`)).length;
  const all = ['the transcript', 'the usage of models', 'the timings'];
  await expect.poll(() => all.map(failures).every((count) => count > 1), { timeout: 5_000 }).toBe(true);
  await sql`alter schema away rename to public`.execute(db);
  await closed;

  expect(await isTranscriptOpen(db, accountId, callId)).toBe(false);
  const { rows } = await sql`
    select c.transcript -> 0 ->> 'text' as text, u.input_tokens::integer as tokens, r.answered_to_speech_ms as ms
    from calls c join call_usage u on u.call_id = c.id join agent_runs r on r.call_id = c.id`.execute(db);
  expect(rows).toEqual([{ text: 'Monday is fine.', tokens: 7, ms: 250 }]);
});
