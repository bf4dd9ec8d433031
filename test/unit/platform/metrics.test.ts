import { Counter } from 'prom-client';
import { expect, test } from 'vitest';
import { refusalOfWebPage } from '../../../domain/input/web-page-request.js';
import { createMetrics, listenForMetrics } from '../../../platform/metrics.js';

// shows: health.metrics
test('metrics are served on a port of their own, with the role of the process, and nothing else is', async () => {
  const registry = createMetrics('dialer');
  const dialed = new Counter({ name: 'outdial_test_total', help: 'Test', registers: [registry] });
  dialed.inc(3);
  const server = await listenForMetrics(registry, { host: '127.0.0.1', port: 0 });
  try {
    const base = `http://127.0.0.1:${server.port}`;
    const response = await fetch(`${base}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toContain('outdial_test_total{role="dialer"} 3');
    expect(text).toContain('process_resident_memory_bytes');
    expect((await fetch(`${base}/`)).status).toBe(404);
    expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(404);
  } finally {
    await server.close();
  }
});

test('asking for a port that is taken is an error', async () => {
  const registry = createMetrics('api');
  const first = await listenForMetrics(registry, { host: '127.0.0.1', port: 0 });
  try {
    await expect(listenForMetrics(registry, { host: '127.0.0.1', port: first.port })).rejects.toThrow(/EADDRINUSE/);
  } finally {
    await first.close();
  }
});

test('F1: /healthz answers 503 with the words for what is wrong, while something is', async () => {
  let trouble: string | null = 'for 12 s no call can be claimed: the function is missing';
  const server = await listenForMetrics(createMetrics('dialer'), {
    ...{ host: '127.0.0.1', port: 0 },
    trouble: () => trouble,
  });
  try {
    const ask = async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/healthz`);
      return [response.status, await response.json()];
    };
    expect(await ask()).toEqual([503, { status: 'failing', message: trouble }]);
    // To end a process because its database is away would drop its calls.
    expect((await fetch(`http://127.0.0.1:${server.port}/livez`)).status).toBe(200);
    trouble = null;
    expect(await ask()).toEqual([200, { status: 'ok' }]);
  } finally {
    await server.close();
  }
});

test('P3-3: a request that is refused learns nothing of the metrics', async () => {
  const refusalOf = refusalOfWebPage;
  const server = await listenForMetrics(createMetrics('worker'), { host: '127.0.0.1', port: 0, refusalOf });
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, {
      headers: { origin: 'https://attacker.example' },
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain('process_');
    expect((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status).toBe(200);
  } finally {
    await server.close();
  }
});
