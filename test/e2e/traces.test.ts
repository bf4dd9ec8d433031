import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { type Collector, type ReceivedSpan, startCollector } from '../setup/otlp-collector.js';
import {
  batchIs,
  csv,
  metricsOf,
  numbersWithScript,
  type ReceivedWebhook,
  runService,
  type RunningService,
  setUp,
  until,
  webhookReceiver,
} from './running-service.js';

const traceOf = (id: string): string => id.replace(/^[a-z]+_/, '').replaceAll('-', '');
/** Set by SDK variables that need no setting of ours: the tests need not wait five seconds for a batch of spans. */
const soonSent = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_TIMEOUT: '1000' };

/** Has each process of a service write what it has loaded, when it ends. */
function watchLoading() {
  const folder = temporaryFolder('loaded');
  const preload = join(import.meta.dirname, '../setup/loaded-files.cjs');
  return {
    env: { NODE_OPTIONS: `--require ${preload}`, LOADED_FILES_FOLDER: folder },
    /** Packages of OpenTelemetry by role, in the processes that have ended. */
    telemetryOf: (role: string): string[] =>
      readdirSync(folder)
        .filter((name) => name.startsWith(`${role}-`))
        .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[])
        .filter((path) => path.includes('@opentelemetry')),
    roles: () => readdirSync(folder).map((name) => name.split('-')[0]),
  };
}

const called = async (service: RunningService, batchId: unknown) =>
  (await service.request('GET', `/v1/batch-calls/${String(batchId)}/records?perPage=100`)).body.data as {
    readonly callId: string;
    readonly phoneNumber: string;
    readonly status: string;
  }[];

describe('with a collector', () => {
  let collector: Collector;
  let service: RunningService;
  let hooks: { url: string; received: ReceivedWebhook[]; close: () => void };
  let phoneNumber: string;
  const loading = watchLoading();

  beforeAll(async () => {
    collector = await startCollector();
    service = await runService({
      speed: 50,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...soonSent, ...loading.env },
    });
    ({ phoneNumber } = await setUp(service));
    hooks = await webhookReceiver(service);
    const made = await service.request('POST', '/v2/sip/webhooks', {
      url: hooks.url,
      events: ['call-hangup', 'call-missed'],
    });
    expect(made.status).toBe(201);
  });
  afterAll(async () => {
    hooks.close();
    await service.stop();
    service.removeData();
    await collector.close();
  });

  /** The spans of a trace when its root has come, and this many webhooks. */
  async function trace(traceId: string, webhooks: number): Promise<ReceivedSpan[]> {
    await until(() => {
      const spans = collector.ofTrace(traceId);
      return (
        spans.some(({ parentSpanId }) => parentSpanId === '') &&
        spans.filter(({ name }) => name.startsWith('webhook call-')).length >= webhooks
      );
    });
    return collector.ofTrace(traceId);
  }

  /** What follows an end and may outlast it. */
  const follows = (name: string) => /^(webhook|tell the workflow|activity|POST)/.test(name);
  /** What has caused the call, and began before it. */
  const precedes = (name: string) => name.startsWith('POST');
  function expectNested(spans: readonly ReceivedSpan[]): void {
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    for (const span of spans) {
      expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
      const parent = byId.get(span.parentSpanId);
      if (span.parentSpanId === '') continue;
      expect({ span: span.name, parent: parent?.name }).toMatchObject({ parent: expect.any(String) });
      if (!precedes(span.name)) {
        expect({ span, fits: span.startMs >= parent!.startMs - 1 }).toMatchObject({ fits: true });
      }
      if (!follows(span.name)) expect({ span, fits: span.endMs <= parent!.endMs + 1 }).toMatchObject({ fits: true });
    }
  }
  const named = (spans: readonly ReceivedSpan[], attempt: number) =>
    spans.filter((span) => span.attributes['outdial.attempt'] === attempt && !span.name.startsWith('webhook'));

  // shows: health.traces
  test('a call of a batch that is retried is one trace, from the queue of each attempt to its webhooks, and the times nest', async () => {
    const { body } = await service.createBatch(
      { name: 'people.csv', content: csv(['+15550077711', ...numbersWithScript(0, 3, 7_000)]) },
      { name: 'Traced', phoneNumber, retry: { retryOn: ['rejected'], retryDelays: [2] } },
    );
    await batchIs(service, body.batchId, 'completed');
    const records = await called(service, body.batchId);
    const retried = records.find((record) => record.phoneNumber === '+15550077711');
    expect(retried).toMatchObject({ status: 'answered' });

    const spans = await trace(traceOf(retried!.callId), 2);
    expectNested(spans);
    const root = spans.find(({ parentSpanId }) => parentSpanId === '');
    expect(root).toMatchObject({
      name: 'call',
      attributes: { 'outdial.call_id': retried!.callId, 'outdial.status': 'answered', 'outdial.attempts': 2 },
      links: [traceOf(String(body.batchId))],
    });
    expect(named(spans, 1).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['attempt', 'queue', 'prepare and pace', 'gate', 'INVITE', 'ring', 'tell the workflow']),
    );
    expect(named(spans, 1).map(({ name }) => name)).not.toContain('conversation');
    expect(named(spans, 2).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['attempt', 'wait until due', 'queue', 'gate', 'INVITE', 'ring', 'conversation']),
    );
    const [first, second] = [1, 2].map((number) => named(spans, number).find(({ name }) => name === 'attempt')!);
    expect(first!.attributes).toMatchObject({ 'outdial.status': 'rejected', 'outdial.sip_status_code': 486 });
    expect(second!.startMs).toBeGreaterThanOrEqual(first!.endMs - 1);
    const invite = named(spans, 2).find(({ name }) => name === 'INVITE');
    expect(invite!.startMs - first!.endMs).toBeGreaterThanOrEqual(2_000);
    expect(spans.filter(({ name }) => name === 'webhook try').map(({ attributes }) => attributes)).toEqual(
      Array.from({ length: 2 }, () => expect.objectContaining({ 'http.response.status_code': 204 }) as unknown),
    );
    for (const { callId } of records) expectNested(await trace(traceOf(callId), 1));
  });

  test('a single call is one trace with the conversation and the webhook, by which its id finds it', async () => {
    const client = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
    const { apiUrl, token } = service.ready();
    const response = await fetch(`${apiUrl}/v2/sip/call`, {
      method: 'POST',
      headers: {
        ...{ authorization: token, 'content-type': 'application/json' },
        traceparent: `00-${client.traceId}-${client.spanId}-01`,
      },
      body: JSON.stringify({ sipCallFrom: phoneNumber, sipCallTo: '+15550078807', metadata: { name: 'Zoë Quill' } }),
    });
    expect(response.status).toBe(201);
    const { data: call } = (await response.json()) as { readonly data: { readonly id: string } };
    await until(() => collector.ofTrace(client.traceId).length > 0);
    expect(collector.ofTrace(client.traceId)).toMatchObject([
      { name: 'POST /v2/sip/call', service: 'outdial-api', parentSpanId: client.spanId, links: [traceOf(call.id)] },
    ]);
    const spans = await trace(traceOf(call.id), 1);
    expect(spans.find(({ name }) => name === 'POST /v2/sip/call')).toMatchObject({ links: [client.traceId] });
    expectNested(spans);
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['call', 'INVITE', 'conversation']));
    expect([...new Set(spans.map(({ service: by }) => by))].sort()).toEqual([
      'outdial-api',
      'outdial-dialer',
      'outdial-worker',
    ]);
  });

  test('a batch is a trace: its requests, the activities of its workflows and its end', async () => {
    const { body } = await service.createBatch(
      { name: 'people.csv', content: csv(numbersWithScript(7, 2, 6_000)) },
      { name: 'Whole', phoneNumber },
    );
    await batchIs(service, body.batchId, 'completed');
    const spans = await trace(traceOf(String(body.batchId)), 0);
    expectNested(spans);
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['batch', 'POST /v1/batch-calls', 'activity parseBatch', 'activity finishBatch']),
    );
    expect(spans.find(({ name }) => name === 'batch')).toMatchObject({
      parentSpanId: '',
      attributes: { 'outdial.batch_id': body.batchId, 'outdial.status': 'completed', 'outdial.calls_answered': 2 },
    });
  });

  test('the file of a batch that cannot be used is seen in its trace', async () => {
    const { body } = await service.createBatch(
      { name: 'people.csv', content: 'name\nZoë' },
      { name: 'Bad', phoneNumber },
    );
    await batchIs(service, body.batchId, 'parse_failed');
    const spans = await trace(traceOf(String(body.batchId)), 0);
    expect(spans.find(({ name }) => name === 'batch')).toMatchObject({ failed: true });
  });

  test('requests that only read, or have no token that holds, leave no spans', async () => {
    const before = collector.spans.filter(({ service: by }) => by === 'outdial-api').length;
    const { apiUrl } = service.ready();
    await service.request('GET', '/v1/batch-calls');
    await fetch(`${apiUrl}/v1/batch-calls`, { method: 'POST', headers: { authorization: 'wrong' } });
    const { status } = await service.request('POST', '/v2/sip/call', { sipCallTo: '+15550078808' });
    expect(status).toBe(400);
    const ofApi = () => collector.spans.filter(({ service: by }) => by === 'outdial-api').slice(before);
    await until(() => ofApi().length > 0);
    expect(ofApi().map(({ name, attributes }) => [name, attributes['http.response.status_code']])).toEqual([
      ['POST /v2/sip/call', 400],
    ]);
  });

  test('calls that are cancelled while they wait for a retry have their root span', async () => {
    const { body } = await service.createBatch(
      { name: 'people.csv', content: csv(['+15550077721']) },
      { name: 'Cancelled', phoneNumber, retry: { retryOn: ['rejected'], retryDelays: [600] } },
    );
    const retrying = async () =>
      (await service.request('GET', `/v1/batch-calls/${String(body.batchId)}/stats`)).body.retrying === 1;
    await until(retrying);
    await service.request('POST', `/v1/batch-calls/${String(body.batchId)}/cancel`, { mode: 'graceful' });
    await batchIs(service, body.batchId, 'cancelled');
    const [record] = await called(service, body.batchId);
    const spans = await trace(traceOf(record!.callId), 1);
    expectNested(spans);
    expect(spans.find(({ name }) => name === 'call')?.attributes).toMatchObject({ 'outdial.status': 'cancelled' });
  });

  test('no number and no name is in any byte that was sent', () => {
    const sent = Buffer.concat(collector.bodies).toString('latin1');
    expect(collector.bodies.length).toBeGreaterThan(3);
    expect(sent).toContain('outdial.call_id');
    expect(sent.match(/\+?1?5550\d{6}/g)).toBeNull();
    for (const word of ['Person ', 'Quill', 'sip.example.com', hooks.url]) expect(sent).not.toContain(word);
  });

  test('each process counts the spans that it has sent', async () => {
    for (const role of ['dialer', 'worker'] as const) {
      const text = await metricsOf(service, role);
      expect(text).toMatch(/outdial_trace_spans_total\{result="sent",role="\w+"\} [1-9]/);
      expect(text).toMatch(/outdial_trace_spans_total\{result="dropped",role="\w+"\} 0/);
    }
  });

  test.each(['silent', 'refuse'] as const)(
    'calls, webhooks and the service go on while a collector is %s, and spans are sent when it takes them again',
    async (how) => {
      collector.answer(how);
      const before = hooks.received.length;
      const { body } = await service.createBatch(
        { name: 'people.csv', content: csv(numbersWithScript(7, 20, how === 'silent' ? 8_000 : 9_000)) },
        { name: how, phoneNumber },
      );
      await batchIs(service, body.batchId, 'completed');
      await until(() => hooks.received.length >= before + 20);
      await until(async () => /result="failed",role="dialer"\} [1-9]/.test(await metricsOf(service, 'dialer')));

      collector.answer('take');
      const { body: single } = await service.request('POST', '/v2/sip/call', {
        ...{ sipCallFrom: phoneNumber, sipCallTo: how === 'silent' ? '+15550078827' : '+15550078837' },
      });
      expectNested(await trace(traceOf((single.data as { readonly id: string }).id), 1));
    },
  );

  test('the service stops in good order while its collector never answers', async () => {
    const { body: single } = await service.request('POST', '/v2/sip/call', {
      ...{ sipCallFrom: phoneNumber, sipCallTo: '+15550078847' },
    });
    collector.answer('silent');
    const callId = (single.data as { readonly id: string }).id;
    await until(async () => {
      const call = (await service.request('GET', `/v2/sip/call/${callId}`)).body.data;
      return (call as { readonly status: string }).status === 'ended';
    });
    await service.stop();
    expect(service.said()).toContain('Stopped. The data is kept.');
    // A process that was killed has written nothing.
    for (const role of ['dialer', 'worker', 'api']) expect(loading.telemetryOf(role).length).toBeGreaterThan(10);
  });
});

test('without a collector the SDK of OpenTelemetry is loaded by no process', async () => {
  const loading = watchLoading();
  const service = await runService({ speed: 50, env: loading.env });
  const { phoneNumber } = await setUp(service);
  const { body } = await service.createBatch(
    { name: 'people.csv', content: csv(numbersWithScript(7, 3, 9_500)) },
    { name: 'Untraced', phoneNumber },
  );
  await batchIs(service, body.batchId, 'completed');
  for (const role of ['dialer', 'worker'] as const) {
    expect(await metricsOf(service, role)).not.toContain('outdial_trace_spans');
  }
  await service.stop();
  service.removeData();
  expect(loading.roles()).toEqual(expect.arrayContaining(['dialer', 'worker', 'api']));
  for (const role of ['dialer', 'worker', 'api']) expect(loading.telemetryOf(role)).toEqual([]);
});
