import type { SignalDefinition } from '@temporalio/workflow';
import { expect, expectTypeOf, test } from 'vitest';
import type { WorkflowControl } from '../../../activities/deps.js';
import type { OutboxEntry } from '../../../db/queries/outbox.js';
import type { SignalArguments, SignalName, WorkflowInputs, WorkflowName } from '../../../domain/workflow/contract.js';
import { batchOfWorkflow, callWorkflowId, groupWorkflowId, workflowIdOf } from '../../../domain/workflow/ids.js';
import type * as workflows from '../../../workflows/index.js';
import type * as signals from '../../../workflows/signals.js';

const accountId = 'acc_1';
const batchId = 'batch_1';
const callId = '01a1fea9-43e4-7146-b848-b668299e3d0f';

test('the workflows are those of the contract, and their inputs are its inputs', () => {
  type Workflows = typeof workflows;
  type InputOf<N extends WorkflowName> = Parameters<Workflows[N]> extends readonly [infer I, ...unknown[]] ? I : null;
  type Expected<N extends WorkflowName> = Parameters<Workflows[N]> extends readonly [] ? null : WorkflowInputs[N];

  expectTypeOf<keyof Workflows>().toEqualTypeOf<WorkflowName>();
  expectTypeOf<{ [N in WorkflowName]: InputOf<N> }>().toEqualTypeOf<{ [N in WorkflowName]: Expected<N> }>();
});

test('every signal of the contract is defined, with its payload', () => {
  expectTypeOf<typeof signals>().toExtend<{ [S in SignalName]: SignalDefinition<SignalArguments<S>, S> }>();
});

test('a wrong name, input or payload does not compile', () => {
  const entries: OutboxEntry[] = [
    { kind: 'start', name: 'batchCall', input: { accountId, batchId } },
    { kind: 'signal', name: 'cancel', workflowId: batchId, input: {} },
    // @ts-expect-error no workflow has this name
    { kind: 'start', name: 'batchCalls', input: { accountId, batchId } },
    // @ts-expect-error the input of another workflow
    { kind: 'start', name: 'deliverWebhook', input: { accountId, batchId } },
    // @ts-expect-error a schedule starts it
    { kind: 'start', name: 'watchdog', input: {} },
    // @ts-expect-error no signal has this name
    { kind: 'signal', name: 'canceled', workflowId: batchId, input: {} },
    // @ts-expect-error the name of a signal is not that of a workflow
    { kind: 'start', name: 'cancel', input: {} },
    // @ts-expect-error the dialer repeats ends by itself
    { kind: 'signal', name: 'attemptsEnded', workflowId: batchId, input: [] },
  ];
  const mistakes = (temporal: WorkflowControl) => [
    // @ts-expect-error no workflow has this name
    temporal.start('batchcall', batchId, { accountId, batchId }),
    // @ts-expect-error the input lacks the delivery
    temporal.start('deliverWebhook', 'whd_1', { accountId }),
    // @ts-expect-error no signal has this name
    temporal.signal(batchId, 'reconsidered'),
    // @ts-expect-error the signal says which attempts have ended
    temporal.signal(batchId, 'attemptsEnded'),
    // @ts-expect-error attempts are tuples
    temporal.signal(batchId, 'attemptsEnded', [{ callId }]),
  ];
  expect([entries.length, typeof mistakes]).toEqual([8, 'function']);
});

test('the id of a workflow follows from its input', () => {
  expect([
    workflowIdOf('batchCall', { accountId, batchId }),
    workflowIdOf('removeBatch', { accountId, batchId }),
    workflowIdOf('calls', { accountId, batchId, group: 0 }),
    workflowIdOf('calls', { accountId, callId }),
    workflowIdOf('summarizeCall', { accountId, callId }),
    workflowIdOf('analyzeCall', { accountId, callId }),
    workflowIdOf('analyzeCall', { accountId, callId, attempt: 2 }),
    workflowIdOf('deliverWebhook', { accountId, deliveryId: 'whd_1' }),
    workflowIdOf('deployAgent', { accountId, deploymentId: 'dep_1' }),
    workflowIdOf('ingestKnowledgeBase', { accountId, knowledgeBaseId: 'kb_1' }),
  ]).toEqual([
    'batch_1',
    'batch_1/removal',
    'batch_1/calls-1',
    `call_${callId}`,
    `call_${callId}/summary`,
    `call_${callId}/analysis`,
    `call_${callId}/analysis/2`,
    'whd_1',
    'dep_1',
    'kb_1',
  ]);
});

test('a call is carried by its own workflow, or by that of its group of the batch', () => {
  const place = { callId, position: 400, callsPerWorkflow: 200 };
  expect(callWorkflowId({ ...place, batchId: null })).toBe(workflowIdOf('calls', { accountId, callId }));
  expect(callWorkflowId({ ...place, batchId })).toBe(workflowIdOf('calls', { accountId, batchId, group: 2 }));
});

test('what a workflow is about can be read from its id', () => {
  expect(batchOfWorkflow(groupWorkflowId(batchId, 7))).toEqual({ batchId, group: 7 });
  expect(batchOfWorkflow(batchId)).toEqual({ batchId, group: null });
});
