import { createServer, type IncomingHttpHeaders } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * How often the event loop's delay is measured. With the library's default of 10 ms this alone takes half a percent of a core
 * in every process that does nothing.
 */
const eventLoopMonitoringPrecision = 100;

/** Metrics of this process, with those of Node itself, each labelled with its role. */
export function createMetrics(role: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ role });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision });
  return registry;
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` in Prometheus' text format, `GET /healthz` and `GET /livez`, on a separate port, apart from what clients
 * can reach.
 *
 * @param options.port 0 picks a free one
 * @param options.trouble why the process does not do its work; null if it does. `/healthz` answers 503 with it.
 * @param options.refusalOf whom it does not answer, and how; omitted: it answers everyone
 */
export async function listenForMetrics(
  registry: Registry,
  options: {
    readonly host: string;
    readonly port: number;
    readonly trouble?: () => string | null;
    readonly refusalOf?: (headers: IncomingHttpHeaders) => { statusCode: number; message: string } | null;
  },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const refusal = options.refusalOf?.(request.headers) ?? null;
    if (refusal !== null) {
      response.writeHead(refusal.statusCode).end(refusal.message);
      return;
    }
    // That the process runs, whatever it waits for: to end one because a database is away would drop its calls for nothing.
    if (request.method === 'GET' && request.url === '/livez') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
      return;
    }
    if (request.method === 'GET' && request.url === '/healthz') {
      const message = options.trouble?.() ?? null;
      response
        .writeHead(message === null ? 200 : 503, { 'content-type': 'application/json' })
        .end(JSON.stringify(message === null ? { status: 'ok' } : { status: 'failing', message }));
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The metrics server has no port.');
  return {
    port: address.port,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
