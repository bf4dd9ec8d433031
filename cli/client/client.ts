import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, findConnection, type ServiceFlags } from './connection.js';
import { CommandFailed, exitCodes } from './exit-codes.js';
import { type OperationId, operations } from './operations.js';
import { refused } from './refusal.js';

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
  /** Any request; trying again is left to the caller. */
  send(method: string, path: string, init?: { headers?: Headers; body?: string | FormData }): Promise<Response>;
}

/** A file of 5 MB over a slow line takes its time. */
const answersWithinMs = 120_000;
const tries = 4;
const longestWaitMs = 15_000;

/** Finds the service that the flags name, or the one of this machine, and asks it. See findConnection. */
export const clientOf = async (flags: ServiceFlags): Promise<Client> => createClient(await findConnection(flags));

/** @throws CommandFailed from each of its functions, with the API's words and every problem that it names */
export function createClient(connection: Connection): Client {
  const send: Client['send'] = async (method, path, { headers = new Headers(), body } = {}) => {
    headers.set('authorization', await connection.token());
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    try {
      // A redirect would take the token elsewhere.
      return await fetch(`${connection.url}${path}`, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(answersWithinMs),
      });
    } catch (error) {
      throw new CommandFailed(exitCodes.unavailable, `${connection.url} does not answer${causeOf(error)}.`, {
        cause: error,
      });
    }
  };
  const open: Client['open'] = async (id, { path, query, json, form, idempotencyKey } = {}) => {
    const [method, address] = partsOf(id);
    const headers = new Headers(json === undefined ? {} : { 'content-type': 'application/json' });
    if (idempotencyKey !== undefined)
      headers.set('idempotency-key', idempotencyKey === true ? randomUUID() : idempotencyKey);
    const body = json === undefined ? form : JSON.stringify(json);
    const once = async (): Promise<Response> => {
      const answer = await send(method, addressOf(address, path, query), {
        headers: new Headers(headers),
        ...(body === undefined ? {} : { body }),
      });
      if (!answer.ok) throw await refused(answer, connection.url);
      return answer;
    };
    return method === 'GET' || idempotencyKey !== undefined ? patiently(once) : once();
  };
  return { connection, send, open, ask: async (id, asked) => (await (await open(id, asked)).json()) as Row };
}

function partsOf(id: OperationId): [method: string, address: string] {
  const [method = '', address = ''] = operations[id].split(' ');
  return [method, address];
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

/** Asks again while the service cannot be reached or is too busy: only for what may be asked twice. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CommandFailed) || error.exitCode !== exitCodes.unavailable || attempt >= tries)
        throw error;
      await delay(Math.min(error.retryAfterMs ?? 250 * 2 ** attempt, longestWaitMs));
    }
  }
}

/** `: connect ECONNREFUSED 127.0.0.1:8080`, as far as Node says. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if (error.name === 'TimeoutError') return ` within ${answersWithinMs / 1000} s`;
  const { cause } = error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return `: ${cause.errors[0].message}`;
  return cause instanceof Error ? `: ${cause.message}` : '';
}
