import { Counter, type Registry } from 'prom-client';

/** The metric of a process that traces. */
export function createSpanCounter(registry: Registry): Counter<'result'> {
  const spans = new Counter({
    name: 'outdial_trace_spans_total',
    help: 'Spans by what became of them: sent, failed (the collector did not take them), dropped (the queue was full).',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['sent', 'failed', 'dropped'] as const) spans.inc({ result }, 0);
  return spans;
}
