import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionWords, isUnreached } from '../../domain/connection-words.js';
import { type Connection, findConnection, type ServiceFlags } from './connection.js';
import { CommandFailed, exitCodes } from './exit-codes.js';
import { type OperationId, operations } from './operations.js';
import { refused, stillRunning } from './refusal.js';
import { fetchWithin } from './timed-fetch.js';

/** What a request to an operation carries. */
export interface Asked {
  /** The parts of the path in braces. */
  readonly path?: Readonly<Record<string, string>>;
  /** Omitted ones are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly json?: unknown;
  readonly form?: FormData;
  /** Makes trying again safe. `true`: one of its own. */
  readonly idempotencyKey?: string | true;
}

/** An object of an answer. Which fields are in it is said by docs/openapi.json; a newer service may have more. */
export type Row = Readonly<Record<string, unknown>>;

/** The HTTP API of one service, as any customer has it. */
export interface Client {
  readonly connection: Connection;
  /** The body of a successful answer. */
  ask(operation: OperationId, asked?: Asked): Promise<Row>;
  /** The answer itself, once it is known to be a success. */
  open(operation: OperationId, asked?: Asked): Promise<Response>;
  /** The body of a successful answer to any request; one that may be made twice (GET, or with an Idempotency-Key) is tried again. */
  text(method: string, path: string, init: Sent & { readonly headers: Headers }): Promise<string>;
  /** Any request; trying again is left to the caller. */
  send(method: string, path: string, init?: Sent): Promise<Response>;
}

interface Sent {
  readonly headers?: Headers;
  readonly body?: string | FormData;
}

/** How long a service may take until it begins to answer. */
export interface Patience {
  readonly readMs: number;
  /** A file of 5 MB over a slow line takes its time. */
  readonly writeMs: number;
}

/** The service itself gives up after 30 s. */
const patience: Patience = { readMs: 45_000, writeMs: 120_000 };
const tries = 4;
const longestWaitMs = 15_000;

/** Finds the service that the flags name, or the one of this machine, and asks it. See findConnection. */
export const clientOf = async (flags: ServiceFlags): Promise<Client> => createClient(await findConnection(flags));

/** @throws CommandFailed from each of its functions, with the API's words and every problem that it names */
export function createClient(connection: Connection, { readMs, writeMs }: Patience = patience): Client {
  const { url } = connection;
  const send: Client['send'] = async (method, path, { headers = new Headers(), body } = {}) => {
    headers.set('authorization', await connection.token());
    const withinMs = method === 'GET' ? readMs : writeMs;
    // A redirect would take the token elsewhere.
    const init: RequestInit = { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) };
    try {
      return await fetchWithin(withinMs, `${url}${path}`, init, (answer) => answer);
    } catch (error) {
      throw unanswered(url, error, withinMs);
    }
  };
  const request = <T>(
    [method, path, { headers, ...rest }]: Parameters<Client['text']>,
    read: (answer: Response) => T | Promise<T>,
  ): Promise<T> => {
    const once = async (): Promise<T> => {
      const answer = await send(method, path, { headers: new Headers(headers), ...rest });
      if (!answer.ok) throw await refused(answer, url);
      return read(answer);
    };
    return method === 'GET' || headers.has('idempotency-key') ? patiently(once) : once();
  };
  const text: Client['text'] = (...asked) => request(asked, (answer) => wholeText(answer, url));
  const open: Client['open'] = (id, asked) => request(requestOf(id, asked), (answer) => answer);
  const ask: Client['ask'] = async (id, asked) => {
    const answer = await text(...requestOf(id, asked));
    try {
      return JSON.parse(answer) as Row;
    } catch (error) {
      throw new CommandFailed(exitCodes.failed, `What answers at ${url} is no Outdial. Check the address.`, {
        cause: error,
      });
    }
  };
  return { connection, send, text, open, ask };
}

/** The body of an answer. @throws CommandFailed if it breaks off */
export async function wholeText(answer: Response, url: string): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw brokenOff(url, error);
  }
}

/** The body of a long answer, as it comes. @throws CommandFailed if it breaks off */
export async function* piecesOf(answer: Response, url: string): AsyncGenerator<Uint8Array> {
  try {
    if (answer.body !== null) yield* answer.body;
  } catch (error) {
    throw brokenOff(url, error);
  }
}

function brokenOff(url: string, error: unknown): CommandFailed {
  const words = connectionWords(error) ?? (error instanceof Error ? error.message : String(error));
  return new CommandFailed(exitCodes.unavailable, `The answer of ${url} broke off and is incomplete: ${words}.`, {
    ...{ cause: error, mayBeDone: true },
  });
}

function unanswered(url: string, error: unknown, withinMs: number): CommandFailed {
  const words = connectionWords(error, withinMs) ?? (error instanceof Error ? error.message : String(error));
  const mayPass = !(error instanceof Error && error.name === 'TimeoutError');
  const mayBeDone = !isUnreached(words);
  return new CommandFailed(exitCodes.unavailable, `${url} cannot be asked: ${words}.`, {
    ...{ cause: error, mayPass, mayBeDone },
  });
}

function requestOf(
  id: OperationId,
  { path, query, json, form, idempotencyKey }: Asked = {},
): Parameters<Client['text']> {
  const [method = '', address = ''] = operations[id].split(' ');
  const headers = new Headers(json === undefined ? {} : { 'content-type': 'application/json' });
  if (idempotencyKey !== undefined)
    headers.set('idempotency-key', idempotencyKey === true ? randomUUID() : idempotencyKey);
  const body = json === undefined ? form : JSON.stringify(json);
  return [method, addressOf(address, path, query), { headers, ...(body === undefined ? {} : { body }) }];
}

function addressOf(address: string, path: Asked['path'] = {}, query: Asked['query'] = {}): string {
  const filled = address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/**
 * Asks again while the service cannot be reached or is too busy: only for what may be asked twice, and has not waited long. If an answer
 * was lost, what follows may say that the first request with the same Idempotency-Key is not over.
 */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  let mayBeDone = false;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const isRunning = mayBeDone && error.message.includes(stillRunning);
      mayBeDone ||= error.mayBeDone;
      if (attempt >= tries || !error.mayPass || !(isRunning || error.exitCode === exitCodes.unavailable)) {
        const { exitCode, message } = error;
        throw mayBeDone ? new CommandFailed(exitCode, message, { cause: error, mayBeDone }) : error;
      }
      await delay(Math.min(error.retryAfterMs ?? 250 * 2 ** attempt, longestWaitMs));
    }
  }
}
