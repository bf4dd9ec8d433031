import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { csvOf } from './numbers.js';
import type { Result } from './result.js';
import { batchForm, noneIs, type RunningService, scheduleAt, type Upload, upload } from './service.js';

const connections = 8;
const hourMs = 3_600_000;

/** Latencies of making, reading and listing batch calls, with a few clients that ask as fast as they are answered. */
export async function measureApi(service: RunningService, seconds: number): Promise<readonly Result[]> {
  const { apiUrl } = service.ready;
  // Due tomorrow, so that what is measured is the API and not the calls.
  const what: Upload = {
    name: 'One of many',
    from: service.lines[0] ?? '',
    csv: csvOf(99_990, 100_000),
    schedule: scheduleAt(new Date(Date.now() + 24 * hourMs)),
  };
  const batchId = await upload(service, what);
  const form = new Request(apiUrl, { method: 'POST', body: batchForm(service, what) });
  const body = Buffer.from(await form.arrayBuffer());
  const contentType = form.headers.get('content-type') ?? '';

  const measure = async (name: string, request: Partial<autocannon.Options>): Promise<Result[]> => {
    const headers = { authorization: service.ready.token, ...request.headers };
    const result = await autocannon({ url: apiUrl, connections, duration: seconds, ...request, headers });
    const failed = result.errors + result.non2xx;
    if (failed > 0) throw new Error(`${name}: ${failed} of ${result.requests.total} requests failed.`);
    const note = `${result.requests.total} requests in ${seconds} s, ${connections} at once`;
    return [
      { name: `${name}, p50`, value: result.latency.p50, unit: 'ms', note },
      { name: `${name}, p99`, value: result.latency.p99, unit: 'ms', note },
    ];
  };
  const reading = [
    ...(await measure('GET batch call', { url: `${apiUrl}/v1/batch-calls/${batchId}` })),
    ...(await measure('GET batch calls', { url: `${apiUrl}/v1/batch-calls` })),
  ];
  const making = await measure('POST batch call, 10 rows', {
    url: `${apiUrl}/v1/batch-calls`,
    method: 'POST',
    body,
    headers: { 'content-type': contentType },
  });
  // What they have set off is over before anything else is measured.
  await noneIs(service, 'parsing');
  await delay(1_000);
  return [...making, ...reading];
}
