import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withTimeLimit } from '../../platform/time-limit.js';
import type { Journal } from './journal.js';

/** How a request came to its answer, however many tries it took. */
export interface Asked {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** Tries that were never answered may still be carried out until then. */
  readonly ghostUntilMs: number;
}

export interface Order {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  /** JSON, or a form, which is built again for each try. */
  readonly body?: object | (() => FormData);
  /** Carried out once, however often it is sent. */
  readonly once?: true;
  readonly about?: readonly string[];
}

/** A customer of one account: asks one API and then another, until one of them answers. */
export interface Customer {
  readonly account: string;
  ask(order: Order): Promise<Asked>;
}

const answerWithinMs = 10_000;
/** A request that met a frozen process or a held link is carried out when that wakes; nothing is held longer than this. */
const ghostMs = 75_000;
/** Answers after which the same request is sent again. */
const notNow = new Set([429, 500, 502, 503, 504]);

export function createCustomer(
  account: string,
  token: string,
  { urls, journal, signal }: { urls: readonly string[]; journal: Journal; signal: AbortSignal },
): Customer {
  let turn = 0;

  async function once(url: string, { method, path, body }: Order, key: string | undefined): Promise<Response> {
    const form = typeof body === 'function' ? body() : undefined;
    return fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: token,
        ...(body === undefined || form !== undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: form ?? JSON.stringify(body) }),
      signal: withTimeLimit(signal, answerWithinMs),
    });
  }

  return {
    account,
    async ask(order) {
      const key = order.once === true ? randomUUID() : undefined;
      const askedAtMs = Date.now();
      let ghostUntilMs = 0;
      const say = (how: string) => {
        const what =
          order.body === undefined || typeof order.body === 'function' ? '' : ` ${JSON.stringify(order.body)}`;
        journal.add('order', `${order.method} ${order.path}${what.slice(0, 200)} ${how}`, [
          account,
          order.path,
          ...(order.about ?? []),
        ]);
      };
      for (;;) {
        signal.throwIfAborted();
        const url = urls[turn++ % urls.length] ?? '';
        let reason = 'got no answer';
        try {
          const response = await once(url, order, key);
          const text = await response.text();
          // The first request with this key may still be on its way.
          const isUnderWay = response.status === 409 && text.includes('Idempotency-Key is still running');
          if (!notNow.has(response.status) && !isUnderWay && !wasCutOff(response.status, text)) {
            if (order.method !== 'GET') say(`answered ${response.status}`);
            const answeredAtMs = Date.now();
            return { status: response.status, body: bodyOf(text), askedAtMs, answeredAtMs, ghostUntilMs };
          }
          reason = `was answered ${response.status}`;
          if (response.status !== 429) ghostUntilMs = Date.now() + ghostMs;
        } catch {
          ghostUntilMs = Date.now() + ghostMs;
        }
        say(`${reason}; it is sent again`);
        await delay(250);
      }
    },
  };
}

/** What the HTTP server answers, before the API has seen it, to a request of which only a part arrived. */
const wasCutOff = (status: number, text: string): boolean =>
  status === 408 || (status === 400 && text.includes('"message":"Client Error"'));

function bodyOf(text: string): Asked['body'] {
  const parsed: unknown = text === '' ? {} : JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}
