import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeterminismViolationError } from '@temporalio/workflow';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { workflowNames } from '../../domain/workflow/contract.js';
import { workflowCode } from '../workflow/workflow-code.js';
import '../workflow/test-env.js';
import { recordHistories } from './record-histories.js';

/** One folder for each version that was released; what is in a folder is never changed after its release. */
const histories = fileURLToPath(new URL('./histories/', import.meta.url));

if (process.env.OUTDIAL_RECORD_HISTORIES !== undefined) {
  test('the histories of a new version are recorded', async () => {
    await recordHistories(join(histories, process.env.OUTDIAL_RECORD_HISTORIES!));
  });
}

const recorded = readdirSync(histories, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
const read = (name: string): unknown => JSON.parse(readFileSync(join(histories, name), 'utf8'));

async function replay(history: unknown): Promise<Error | undefined> {
  const run = Worker.runReplayHistories(
    { workflowBundle: { code: await workflowCode() }, replayName: 'replay' },
    (async function* () {
      yield await Promise.resolve({ workflowId: 'replayed', history: historyFromJSON(history) });
    })(),
  );
  for await (const { error } of run) return error;
  throw new Error('nothing was replayed');
}

test.each(recorded)('a workflow that began as %s can go on with today’s code', async (name) => {
  expect(await replay(read(name))).toBeUndefined();
});

test('every workflow has a recorded history', () => {
  const seen = new Set(
    recorded.flatMap((name) => /"workflowType":\{"name":"(\w+)"/.exec(JSON.stringify(read(name)))?.[1]),
  );
  expect([...seen].toSorted()).toEqual([...workflowNames].toSorted());
});

test('a history that today’s code would not have made is found out', async () => {
  const name = recorded.find((each) => each.endsWith('calls-retried.json'))!;
  const other = JSON.stringify(read(name)).replaceAll('"queueAttempts"', '"queueSomethingElse"');

  expect(await replay(JSON.parse(other))).toBeInstanceOf(DeterminismViolationError);
});
