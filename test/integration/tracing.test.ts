import { Registry } from 'prom-client';
import { pino } from 'pino';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rootOf } from '../../domain/trace/span.js';
import { readEnv } from '../../platform/env.js';
import { noTracing, openTracing, type SpanRecord, type Tracing } from '../../platform/tracing.js';
import { type Collector, startCollector } from '../setup/otlp-collector.js';

const silent = pino({ level: 'silent' });
let collector: Collector;
let opened: Tracing[] = [];
beforeEach(async () => {
  collector = await startCollector();
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20');
});
afterEach(async () => {
  collector.answer('take');
  await Promise.all(opened.map((tracing) => tracing.close()));
  opened = [];
  vi.unstubAllEnvs();
  await collector.close();
});

async function open(variables: Readonly<Record<string, string>> = {}) {
  const set = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables };
  for (const [name, value] of Object.entries(set)) vi.stubEnv(name, value);
  const metrics = new Registry();
  const tracing = await openTracing(readEnv(set), { role: 'test', logger: silent, metrics });
  opened.push(tracing);
  const counted = async (result: string): Promise<number> => {
    const { values } = await metrics.getSingleMetric('outdial_trace_spans_total')!.get();
    return values.find(({ labels }) => labels.result === result)?.value ?? 0;
  };
  return { tracing, counted };
}

const spanOf = (id: string, part = 0): SpanRecord => ({
  ...rootOf(id),
  ...(part === 0 ? {} : { spanId: rootOf(id).spanId.replace(/.$/, part.toString(16)) }),
  parentSpanId: part === 0 ? null : rootOf(id).spanId,
  ...{ name: 'call', kind: 'internal', startMs: 1_000, endMs: 2_000, attributes: {} },
});

test('a queue of spans is bounded while the collector never answers; what does not fit is dropped and counted', async () => {
  collector.answer('silent');
  const { tracing, counted } = await open();
  tracing.record(Array.from({ length: 40_000 }, () => spanOf(uuid())));
  expect(await counted('dropped')).toBe(40_000 - 16_384);
  // Whoever makes spans waits until there is room, or until tracing ends.
  let room = false;
  const waits = tracing.room().then(() => (room = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(room).toBe(false);
  await tracing.close();
  await waits;
});

test('spans are sent with the ids that they have, and counted', async () => {
  const { tracing, counted } = await open({ OTEL_RESOURCE_ATTRIBUTES: 'service.name=elsewhere' });
  const id = uuid();
  tracing.record([spanOf(id), { ...spanOf(id, 1), failed: true, links: [rootOf(uuid())] }]);
  await expect.poll(() => collector.spans.length).toBe(2);
  const { traceId, spanId } = rootOf(id);
  expect(collector.spans).toMatchObject([
    { service: 'elsewhere', traceId, spanId, parentSpanId: '', startMs: 1_000, endMs: 2_000, failed: false },
    { traceId, parentSpanId: spanId, failed: true, links: [expect.any(String)] },
  ]);
  await expect.poll(() => counted('sent')).toBe(2);
});

test('processes that sample a share of the traces send spans of the same ones', async () => {
  const ids = Array.from({ length: 400 }, () => uuid());
  for (const sampler of ['parentbased_traceidratio', 'traceidratio']) {
    collector.spans.length = 0;
    const share = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.25' };
    const one = await open(share);
    const other = await open(share);
    one.tracing.record(ids.map((id) => spanOf(id)));
    other.tracing.record(ids.map((id) => spanOf(id, 1)));
    await Promise.all([one.tracing.close(), other.tracing.close()]);
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === '').map(({ traceId }) => traceId);
    const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId !== '').map(({ traceId }) => traceId);
    expect(roots.length).toBeGreaterThan(50);
    expect(roots.length).toBeLessThan(150);
    expect(parts.sort()).toEqual(roots.sort());
  }
});

test('without an address, or switched off, nothing is traced', async () => {
  const parts = { role: 'test', logger: silent, metrics: new Registry() };
  expect(await openTracing(readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), parts)).toBe(noTracing);
  vi.stubEnv('OTEL_SDK_DISABLED', 'true');
  expect(await openTracing(readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), parts)).toBe(noTracing);
});

test('settings that cannot be used are named', () => {
  const wrong = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector', OTEL_TRACES_SAMPLER: 'some', OTEL_TRACES_SAMPLER_ARG: '2' };
  expect(() => readEnv(wrong)).toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT: [^]*OTEL_TRACES_SAMPLER: must be one of always_on[^]*OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1/,
  );
});
