import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { refusalOfWebPage } from '../../domain/input/web-page-request.js';
import type { Carrier } from './carrier.js';
import type { Ledger } from './ledger.js';
import { PreDialFaults, PreDialQuestion, simulatedPreDial } from './pre-dial.js';
import { Faults } from './trunk.js';
import {
  CallTarget,
  GatewayQuery,
  HangUp,
  HangUpTarget,
  type LegLine,
  LegOrder,
  LegRef,
  Rooms,
  Transfer,
} from './wire.js';

export interface HttpParts {
  readonly carrier: Carrier;
  readonly ledger: Ledger;
  readonly setFaults: (faults: Faults) => void;
  readonly stats: () => object;
}

/** Streams of live legs get an empty line this often, so that the other side notices a carrier that froze. */
const heartbeatMs = 10_000;
const largestBody = 1_000_000;

/** The carrier's HTTP interface. A request that makes no sense is 400 with what is wrong, and changes nothing. */
export function createHttpServer({ carrier, ledger, setFaults, stats }: HttpParts): Server {
  const streams = new Set<ServerResponse>();
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.write('\n');
  }, heartbeatMs);

  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
    'POST /rooms': async (request, response) => {
      Rooms.parse(await bodyOf(request));
      sendJson(response, { ready: true });
    },
    'POST /legs': async (request, response) => {
      const order = LegOrder.parse(await bodyOf(request));
      const stop = carrier.dial(order, legStream(response, streams));
      response.on('close', stop);
    },
    'POST /legs/follow': async (request, response) => {
      const ref = LegRef.parse(await bodyOf(request));
      const stop = await carrier.follow(ref, legStream(response, streams));
      if (stop) response.on('close', stop);
      else sendJson(response, { message: 'no such leg' }, 404);
    },
    'POST /legs/hang-up': async (request, response) => {
      const { reason, ...ref } = HangUp.parse(await bodyOf(request));
      await carrier.hangUp(ref, reason);
      sendJson(response, { done: true });
    },
    'POST /legs/transfer': async (request, response) => {
      const { transferTo, ...ref } = Transfer.parse(await bodyOf(request));
      sendJson(response, await carrier.transfer(ref, transferTo));
    },
    'POST /legs/call-target': async (request, response) => {
      sendJson(response, await carrier.callTarget(CallTarget.parse(await bodyOf(request))));
    },
    'POST /legs/hang-up-target': async (request, response) => {
      await carrier.hangUpTarget(HangUpTarget.parse(await bodyOf(request)).transferId);
      sendJson(response, { done: true });
    },
    'POST /legs/reconcile': async (request, response) => {
      sendJson(response, await carrier.reconcile(LegRef.parse(await bodyOf(request))));
    },
    'POST /gateways/check': async (request, response) => {
      const { gatewayId } = GatewayQuery.parse(await bodyOf(request));
      sendJson(response, carrier.check(gatewayId));
    },
    'POST /pre-dial': async (request, response) => {
      const { status, delayMs } = PreDialFaults.parse(Object.fromEntries(queryOf(request)));
      const answer = simulatedPreDial(PreDialQuestion.parse(await bodyOf(request)));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      sendJson(response, answer, status);
    },
    'POST /faults': async (request, response) => {
      setFaults(Faults.parse(await bodyOf(request)));
      sendJson(response, stats());
    },
    'GET /stats': async (_request, response) => sendJson(response, stats()),
    'GET /healthz': async (_request, response) => sendJson(response, { status: 'ok', simulated: true }),
    'GET /ledger': async (request, response) => {
      const from = z.coerce
        .number()
        .int()
        .min(0)
        .default(0)
        .parse(queryOf(request).get('from') ?? undefined);
      await ledger.settled();
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      createReadStream(ledger.path, { start: from }).pipe(response);
    },
  };

  const server = createServer((request, response) => {
    const refusal = refusalOf(request);
    if (refusal !== null) {
      sendJson(response, { message: refusal.message }, refusal.statusCode);
      return;
    }
    const path = request.url?.split('?')[0] ?? '/';
    const route = routes[`${request.method ?? 'GET'} ${path}`];
    if (!route) {
      sendJson(response, { message: `nothing at ${path}` }, 404);
      return;
    }
    route(request, response).catch((error: unknown) => refuse(response, error));
  });
  // Longer than the driver keeps a connection idle, so that it never sends into one that is being closed.
  server.keepAliveTimeout = 75_000;
  server.on('close', () => clearInterval(heartbeat));
  return server;
}

/** Also a form of a web page, which can be sent from anywhere, is no client of the carrier. */
function refusalOf({ method, headers }: IncomingMessage): { statusCode: number; message: string } | null {
  const refusal = refusalOfWebPage(headers);
  if (refusal !== null) return refusal;
  if (method === 'POST' && !/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return { statusCode: 415, message: 'the content type must be application/json' };
  }
  return null;
}

function refuse(response: ServerResponse, error: unknown): void {
  if (error instanceof z.ZodError) {
    const errors = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    sendJson(response, { message: 'the request cannot be used', errors }, 400);
  } else if (error instanceof SyntaxError) sendJson(response, { message: 'the body is not JSON' }, 400);
  else sendJson(response, { message: error instanceof Error ? error.message : 'unexpected failure' }, 500);
}

function sendJson(response: ServerResponse, body: object, statusCode = 200): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(statusCode, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Sends the lines of a leg. Those of one moment leave in one write. */
function legStream(response: ServerResponse, streams: Set<ServerResponse>): (line: LegLine) => void {
  let text = '';
  let over = false;
  const send = (): void => {
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      streams.add(response);
      response.on('close', () => streams.delete(response));
    }
    if (over) {
      streams.delete(response);
      response.end(text);
    } else response.write(text);
    text = '';
  };
  return (line) => {
    if (text === '') process.nextTick(send);
    text += `${JSON.stringify(line)}\n`;
    over = line.type === 'over';
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw new SyntaxError('too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

const queryOf = (request: IncomingMessage): URLSearchParams =>
  new URL(request.url ?? '/', 'http://simulator').searchParams;
