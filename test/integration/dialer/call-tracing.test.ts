import { sql } from 'kysely';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../../db/client.js';
import { createCallTracing } from '../../../dialer/call-tracing.js';
import { createReporter } from '../../../dialer/reporter.js';
import type { UnreportedAttempt } from '../../../db/queries/dialer/report-attempts.js';
import type { SpanRecord, Tracing } from '../../../platform/tracing.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

const logger = pino({ level: 'silent' });

/** Keeps what is recorded. */
function keepSpans(room: () => Promise<void> = () => Promise.resolve()) {
  const spans: SpanRecord[] = [];
  const kept = { spans, lost: 0 };
  const tracing: Tracing = {
    on: true,
    record: (some) => void spans.push(...some),
    lost: (count) => void (kept.lost += count),
    room,
    close: () => Promise.resolve(),
  };
  return { kept, tracing };
}

let env: DialerTestEnv;
beforeEach(async () => {
  env = await dialerTestEnv();
});
afterEach(() => env.close());

/** Calls that are over, whose ends nobody has told their workflows: their dialer was killed. */
async function leftByADeadDialer(count: number): Promise<string[]> {
  const gateway = await env.gateway();
  const ids = await env.calls(gateway, await env.batch(gateway), numbersEndingIn(7, count));
  const dialer = await env.dialer();
  await until(() => env.told.length === count);
  await dialer.close();
  await sql`update call_attempts set reported_at = null, ended_at = clock_timestamp() - interval '1 minute'`.execute(
    env.database.db,
  );
  return ids;
}

test('spans of calls whose dialer was killed before it could send them are sent by another one', async () => {
  const ids = await leftByADeadDialer(3);
  const { kept, tracing } = keepSpans();
  const { db } = env.database;
  const calls = createCallTracing({ db, tracing, logger });
  const reporter = createReporter({
    db,
    logger,
    tell: async () => 'taken',
    onReported: (reports) => calls?.ended(reports),
  });
  await reporter.sweep();
  await reporter.close();
  await calls?.close();
  const roots = kept.spans.filter(({ parentSpanId }) => parentSpanId === null);
  expect(roots.map(({ traceId }) => traceId).sort()).toEqual(ids.map((id) => id.replaceAll('-', '')).sort());
  expect(kept.spans.filter(({ name }) => name === 'INVITE')).toHaveLength(3);
  expect(kept.lost).toBe(0);
});

test('a database that fails costs spans, which are counted, and no reports', async () => {
  await leftByADeadDialer(1);
  const { kept, tracing } = keepSpans();
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, name: 'away' });
  const calls = createCallTracing({ db: away.db, tracing, logger });
  const { db } = env.database;
  const told: string[] = [];
  const reporter = createReporter({
    db,
    logger,
    tell: async (workflowId) => {
      told.push(workflowId);
      return 'taken';
    },
    onReported: (reports) => calls?.ended(reports),
  });
  await reporter.sweep();
  await reporter.close();
  await calls?.close();
  await away.close();
  expect(told).toHaveLength(1);
  expect(kept.spans).toEqual([]);
  expect(kept.lost).toBeGreaterThan(0);
});

test('ends wait in a bounded list while spans have no room, what does not fit is counted, and a dialer that stops does not wait', async () => {
  const { kept, tracing } = keepSpans(() => new Promise(() => undefined));
  const calls = createCallTracing({ db: env.database.db, tracing, logger });
  const ended = (): UnreportedAttempt => ({
    ...{ callId: uuid(), attempt: 1, batchId: null, position: 0, callsPerWorkflow: null, nextAttemptAt: null },
  });
  for (let round = 0; round < 30; round += 1) calls?.ended(Array.from({ length: 1_000 }, ended));
  expect(kept.lost).toBe(10_000 * 9);
  await calls?.close();
});

test('a call that is over only by its analysis has no root before', async () => {
  const [callId = ''] = await leftByADeadDialer(1);
  await sql`update calls set analysis_until = clock_timestamp() + interval '1 hour' where id = ${callId}`.execute(
    env.database.db,
  );
  const { kept, tracing } = keepSpans();
  const calls = createCallTracing({ db: env.database.db, tracing, logger });
  calls?.ended([{ callId, attempt: 1, batchId: null, position: 0, callsPerWorkflow: null, nextAttemptAt: null }]);
  await calls?.close();
  expect(kept.spans.map(({ name }) => name)).toContain('attempt');
  expect(kept.spans.map(({ name }) => name)).not.toContain('call');
});
