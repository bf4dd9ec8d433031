import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createLogger } from '../../platform/logger.js';
import type { AppDeps } from '../../api/operation.js';
import { anotherApp } from '../api/support.js';

const whole = '/usr/bin/chromium';
/** Chromium without its own windows and menus: tests take two thirds of the processor time with it. */
const bare = '/usr/bin/chromium-headless-shell';
const program = process.env.CHROMIUM_BIN ?? (existsSync(bare) ? bare : whole);

/** Why tests in a browser cannot run here; undefined if they can. */
export const noBrowser = existsSync(program) ? undefined : `${program} is not there`;

/**
 * A Chromium whose microphone is a tone and may always be used. It talks to this machine alone. Files of one process may share it
 * by `sharedBrowser`.
 */
export const openBrowser = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--use-fake-device-for-media-stream'],
      ...['--use-fake-ui-for-media-stream', '--allow-loopback-in-peer-connection'],
      ...more,
    ],
  });

let shared: Promise<Browser> | undefined;

/**
 * The Chromium of all files of this process. It ends with the process: nobody closes it. Its tabs come one after the other, so one
 * process draws them all, which has compiled the page's scripts already.
 */
export const sharedBrowser = (): Promise<Browser> => (shared ??= openBrowser('--renderer-process-limit=1'));

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly referer: string | undefined;
}

export interface ServedApp {
  readonly url: string;
  /** What came in: a request line holds what proxies and access logs see. */
  readonly asked: readonly Asked[];
  /** Everything that the api has logged. */
  log(): string;
}

/** The API of the test file, with its pages, on a port. */
export async function serveApp(change: Partial<AppDeps> = {}): Promise<ServedApp> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = await anotherApp({
    pagesFolder: resolve('dist/console'),
    logger: createLogger('api', 'trace', destination),
    ...change,
  });
  const asked: Asked[] = [];
  app.server.on('request', ({ method = '', url = '', headers }) => {
    asked.push({ method, url, referer: headers.referer });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, log: () => lines.join('') };
}

/** What a page complains of in its console: scripts that fail, and whatever its policy forbids. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return complaints;
}
