import { uuidOf } from '../ids.js';
import { attributesOf, rootOf, type SpanPlace, type TraceSpan } from './span.js';

/** What is stored of a batch that is over. */
export interface TracedBatch {
  readonly batchId: string;
  readonly accountId: string;
  readonly agentId: string;
  readonly status: string;
  readonly simulated: boolean;
  readonly calls: number;
  readonly answered: number;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly endedAt: Date;
}

/** The root of a batch's trace. The roots of its calls link to it, and are in traces of their own. */
export function spansOfBatch(batch: TracedBatch): TraceSpan[] {
  const uuid = uuidOf('batch', batch.batchId);
  if (uuid === null) return [];
  const startMs = batch.createdAt.getTime();
  return [
    {
      ...rootOf(uuid),
      ...{ parentSpanId: null, name: 'batch', kind: 'internal', startMs },
      endMs: Math.max(startMs, batch.endedAt.getTime()),
      attributes: attributesOf({
        'outdial.account_id': batch.accountId,
        'outdial.batch_id': batch.batchId,
        'outdial.agent_id': batch.agentId,
        'outdial.simulated': batch.simulated,
        'outdial.status': batch.status,
        'outdial.calls': batch.calls,
        'outdial.calls_answered': batch.answered,
        'outdial.attempts': batch.attempts,
      }),
      failed: batch.status === 'parse_failed',
    },
  ];
}

/** The root of the trace that a workflow belongs to: its batch's or its call's; null: neither has to do with it. */
export function placeOfWorkflow(workflowId: string): SpanPlace | null {
  const [subject = ''] = workflowId.split('/');
  const uuid = uuidOf('batch', subject) ?? uuidOf('call', subject);
  return uuid === null ? null : rootOf(uuid);
}

/** One run of an activity by a worker. */
export interface TracedActivity {
  readonly workflowId: string;
  readonly workflow: string;
  readonly activity: string;
  /** Temporal's count of its runs, from 1. */
  readonly run: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
}

/** @param newId random hex digits, as many as asked for: each run is another span */
export function spansOfActivity(made: TracedActivity, newId: (digits: number) => string): TraceSpan[] {
  const place = placeOfWorkflow(made.workflowId);
  if (place === null) return [];
  return [
    {
      traceId: place.traceId,
      spanId: newId(16),
      parentSpanId: place.spanId,
      ...{ name: `activity ${made.activity}`, kind: 'internal' },
      startMs: made.startMs,
      endMs: Math.max(made.startMs, made.endMs),
      attributes: {
        'outdial.workflow_id': made.workflowId,
        'outdial.workflow': made.workflow,
        'outdial.activity_run': made.run,
      },
      failed: made.failed,
    },
  ];
}
