import { randomInt } from 'node:crypto';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusalOfWebPage } from '../domain/input/web-page-request.js';
import { isPortFree, reservedPort } from './free-port.js';

/** An address that a server listens on. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/**
 * Where Temporal's UI listens itself, as it answers under every name: one of the 16 million addresses of this machine's own
 * network, which a web page would have to know to reach it.
 * @returns undefined if this machine has 127.0.0.1 alone, as macOS does
 */
export async function hiddenAddress(): Promise<Listening | undefined> {
  const port = await reservedPort();
  const host = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return (await isPortFree(port, host)) ? { host, port } : undefined;
}

export interface TemporalUi {
  close(): Promise<void>;
}

/**
 * Serves Temporal's UI on a port of 127.0.0.1 to browsers that were sent there by their user, and refuses web pages: the UI
 * itself has no login and ends workflows for everyone who reaches it.
 * @throws if the port is taken
 */
export async function serveTemporalUi(port: number, ui: Listening): Promise<TemporalUi> {
  const server = createServer((request, response) => {
    const refusal = refusalOfWebPage(request.headers);
    if (refusal === null) void passOn(request, response, ui);
    else response.writeHead(refusal.statusCode).end(refusal.message);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function passOn(request: IncomingMessage, response: ServerResponse, { host, port }: Listening): Promise<void> {
  const { method, url, headers } = request;
  const onward = send({ host, port, method, path: url, headers, agent: false });
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    void ignoringBreaks(answer, response);
  });
  onward.once('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end('Temporal does not answer; its log says more.');
  });
  response.once('close', () => onward.destroy());
  await ignoringBreaks(request, onward);
}

/** A browser that goes away in the middle, and a Temporal that dies, end the exchange: there is nothing else to do. */
const ignoringBreaks = (from: Readable, to: Writable): Promise<void> => pipeline(from, to).catch(() => undefined);
