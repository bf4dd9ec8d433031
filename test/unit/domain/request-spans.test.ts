import { v7 as uuid } from 'uuid';
import { expect, test } from 'vitest';
import { placeOfWorkflow } from '../../../domain/trace/batch-spans.js';
import { parseTraceparent, placesOfRequest, spansOfRequest } from '../../../domain/trace/request-spans.js';
import { rootOf } from '../../../domain/trace/span.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test('a header that follows W3C Trace Context names the trace of the client', () => {
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, sampled: true });
  expect(parseTraceparent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId, sampled: false });
  // A later version may say more.
  expect(parseTraceparent(`01-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, sampled: true });
});

test.each([
  undefined,
  '',
  ['00'],
  `00-${traceId}-${spanId}`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01`.repeat(1_000),
])('a header that does not is as if there were none: %s', (header) => {
  expect(parseTraceparent(header)).toBeNull();
});

test('a request is about the calls and batches that its address and its answer name', () => {
  const [one, other, version] = [uuid(), uuid(), uuid()] as const;
  expect(placesOfRequest({}, { data: { id: `call_${one}`, to: '+15550100123' } })).toEqual([rootOf(one)]);
  expect(placesOfRequest({ batchId: `batch_${other}` }, { batchId: `batch_${other}` })).toEqual([rootOf(other)]);
  expect(placesOfRequest({ id: `ver_${version}` }, null)).toEqual([]);
  expect(
    placesOfRequest(
      undefined,
      Array.from({ length: 3 }, () => 'call_1'),
    ),
  ).toEqual([]);
});

test('a request without a trace of the client begins one', () => {
  const ids = ['a'.repeat(32), 'b'.repeat(16)];
  const spans = spansOfRequest(
    {
      ...{ method: 'POST', route: '/v1/agents', status: 201, accountId: 'acc_1' },
      ...{ startMs: 5, endMs: 9, remote: null, about: [] },
    },
    () => ids.shift()!,
  );
  expect(spans).toMatchObject([{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentSpanId: null, links: [] }]);
  expect(spans[0]).not.toHaveProperty('parentSampled');
});

test('workflows of batches and calls belong to their traces, others to none', () => {
  const id = uuid();
  for (const workflowId of [`batch_${id}`, `batch_${id}/calls-3`, `call_${id}`, `call_${id}/summary`]) {
    expect(placeOfWorkflow(workflowId)).toEqual(rootOf(id));
  }
  for (const workflowId of [`whd_${id}`, 'outdial-watchdog', '']) expect(placeOfWorkflow(workflowId)).toBeNull();
});
