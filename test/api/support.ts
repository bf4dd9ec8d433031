import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createAccount, type NewAccount } from '../../api/account/accounts.js';
import { buildApp } from '../../api/app.js';
import type { AppDeps } from '../../api/operation.js';
import { openDatabase, type Database } from '../../db/client.js';
import { readEnv } from '../../platform/env.js';
import { createLogger } from '../../platform/logger.js';
import { operatorLimitsOf } from '../../platform/operator-env.js';
import { createSecretBox } from '../../platform/secret-box.js';
import { emptier, testDatabase } from '../setup/database.js';

/** What one test file works with: an API, a database that no other file uses meanwhile, and the account `me`. */
export interface ApiTestEnv {
  readonly app: FastifyInstance;
  readonly deps: AppDeps;
  readonly database: Database;
  readonly me: NewAccount;
  /** How often the outbox was kicked. */
  kicks: number;
}

let testEnv: ApiTestEnv | undefined;
const closers: (() => Promise<unknown>)[] = [];

/** The file's environment, once its hooks have run. */
export function here(): ApiTestEnv {
  if (testEnv === undefined) throw new Error('The API starts in a beforeAll hook of useApi(): ask inside a test.');
  return testEnv;
}

/** A busy test is no client gone wild. */
const unlimited = { OUTDIAL_RATE_LIMIT_PER_SECOND: '100000', OUTDIAL_RATE_LIMIT_BURST: '100000' };

/** Settings that the file's API starts with, on top of the defaults; set them at the top of a test file. */
export const settings: Record<string, string> = { ...unlimited };

/** Another API on the same database with other dependencies: for what depends on settings, the clock or failing parts. */
export async function anotherApp(change: Partial<AppDeps>): Promise<FastifyInstance> {
  const app = await buildApp({ ...here().deps, ...change });
  closers.unshift(() => app.close());
  return app;
}

/** Makes something when a file first asks for it: the next file of the same process gets another. */
export function oncePerFile<Value>(make: () => Value): () => Value {
  const made = new WeakMap<ApiTestEnv, Value>();
  return () => {
    const value = made.get(here()) ?? make();
    made.set(here(), value);
    return value;
  };
}

/** An API with its database. */
interface RunningApi {
  readonly app: FastifyInstance;
  readonly deps: AppDeps;
  readonly database: Database;
  /** Called by the outbox. */
  onKick: () => void;
  close(): Promise<void>;
}

/** A dialer that runs as far as the API can see, and dials nothing: what is missing of a service is shown on every page. */
const someDialer = `insert into dialer_processes (id, host, pid, lease_until) values (gen_random_uuid(), 'test', 1, 'infinity')`;

async function startApi(): Promise<RunningApi> {
  const testing = await testDatabase();
  const env = readEnv(settings);
  const operatorLimits = operatorLimitsOf(env);
  // The tests look and prepare as the owner; the API has the rights of the service.
  const owner = openDatabase({ url: testing.url, poolSize: 4, name: 'api-test-owner', operatorLimits });
  const database = openDatabase({ url: testing.serviceUrl, poolSize: 8, name: 'api-test', operatorLimits });
  await owner.pool.query(someDialer);
  const running: Pick<RunningApi, 'onKick'> = { onKick: () => undefined };
  const deps: AppDeps = {
    database,
    secretBox: createSecretBox([`test:${randomBytes(32).toString('base64')}`]),
    env,
    logger: createLogger('api', 'silent'),
    temporal: {
      kick: () => {
        running.onKick();
      },
      isReachable: () => Promise.resolve(true),
    },
    telephony: {
      checkGateway: () =>
        Promise.resolve({ reachable: true, statusCode: 200, milliseconds: 12, message: 'It answers.' }),
    },
    serviceKey: () => undefined,
    clock: () => new Date(),
    strictResponses: true,
  };
  const app = await buildApp(deps);
  async function close(): Promise<void> {
    await app.close();
    await database.close();
    await owner.close();
    await testing.close();
  }
  return Object.assign(running, { app, deps, database: owner, close });
}

/** The API of all files of this process that start it with the usual settings. The suites' PostgreSQL ends with it. */
let shared: Promise<{ readonly running: RunningApi; empty: () => Promise<void> }> | undefined;

async function startSharedApi(): Promise<{ readonly running: RunningApi; empty: () => Promise<void> }> {
  const running = await startApi();
  return { running, empty: await emptier(running.database.pool) };
}

async function open(): Promise<void> {
  const hasUsualSettings = JSON.stringify(settings) === JSON.stringify(unlimited);
  let running: RunningApi;
  if (hasUsualSettings) {
    shared ??= startSharedApi();
    const api = await shared;
    running = api.running;
    closers.push(api.empty);
  } else {
    running = await startApi();
    closers.push(() => running.close());
  }
  const { app, deps, database } = running;
  const opened = {
    app,
    deps,
    database,
    me: await createAccount(database.db, deps.secretBox, 'Test account'),
    kicks: 0,
  };
  running.onKick = () => {
    opened.kicks += 1;
  };
  testEnv = opened;
}

/** Several files share a process: what one has set or opened, the next must not find. */
async function close(): Promise<void> {
  testEnv = undefined;
  for (const name of Object.keys(settings)) Reflect.deleteProperty(settings, name);
  Object.assign(settings, unlimited);
  for (const closeOne of closers.splice(0)) await closeOne();
}

/** Does something while no dialer runs. */
export async function withoutDialer(work: () => Promise<void>): Promise<void> {
  const { pool } = here().database;
  await pool.query(`update dialer_processes set lease_until = '-infinity'`);
  try {
    await work();
  } finally {
    await pool.query(`update dialer_processes set lease_until = 'infinity'`);
  }
}

/**
 * Registers the hooks that give the file an API and an empty database before its tests, and take them back after them. The files of
 * test/api get it from hooks.ts; others call it at their top.
 */
export function useApi(): void {
  beforeAll(open);
  afterAll(close);
}

export interface RequestOptions {
  /** Another account's token, or null to send none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly app?: FastifyInstance;
}

async function send(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body: unknown,
  options: RequestOptions,
) {
  const { app, me } = here();
  const token = options.token === undefined ? me.token : options.token;
  const request: InjectOptions = {
    method,
    url,
    headers: { ...(token === null ? {} : { authorization: token }), ...options.headers },
  };
  if (body !== undefined) {
    request.payload = body instanceof Buffer || typeof body === 'string' ? body : JSON.stringify(body);
    request.headers = { 'content-type': 'application/json', ...request.headers };
  }
  const response = await (options.app ?? app).inject(request);
  const text = response.body;
  const json = String(response.headers['content-type']).includes('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: (json ? JSON.parse(text) : undefined) as unknown,
  };
}

/** Requests of the account `me`, answered without a network. Objects are sent as JSON, texts and buffers as they are. */
export const api = {
  get: (url: string, options: RequestOptions = {}) => send('GET', url, undefined, options),
  post: (url: string, body?: unknown, options: RequestOptions = {}) => send('POST', url, body, options),
  put: (url: string, body?: unknown, options: RequestOptions = {}) => send('PUT', url, body, options),
  patch: (url: string, body?: unknown, options: RequestOptions = {}) => send('PATCH', url, body, options),
  delete: (url: string, options: RequestOptions = {}) => send('DELETE', url, undefined, options),
};

/** Another tenant on the same API. */
export const anAccount = (name = 'Another account'): Promise<NewAccount> =>
  createAccount(here().database.db, here().deps.secretBox, name);
