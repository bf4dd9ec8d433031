import { Pool } from 'undici';
import type { z } from 'zod';
import { inviteText } from '../../domain/call/attempt-key.js';
import { isEndReason } from '../../domain/call/end-reasons.js';
import {
  AnswerLost,
  type AttemptRef,
  type AttemptResult,
  type CallEvent,
  type CallProvider,
  type DialOrder,
  ProviderUnreachable,
} from '../provider.js';
import {
  CheckAnswer,
  LegLine,
  type LegOrder,
  type LegRef,
  type LegResult,
  ReconcileAnswer,
  TransferAnswer,
} from './wire.js';

export interface SimulatorProviderOptions {
  /** Address of the carrier simulator, e.g. `http://127.0.0.1:9070`. */
  readonly url: string;
  readonly connectTimeoutMs?: number;
  /** How long the carrier may take to confirm an INVITE; after that whether it was placed is unknown. */
  readonly answerTimeoutMs?: number;
}

/** A transfer is answered when its target has picked up, or has rung out. */
const transferTimeoutMs = 60_000;

/** Codes of failures to connect: no byte of the request left. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EMFILE']);

/**
 * The driver of the carrier simulator. A leg is one held request whose response streams what happens. `prepare` opens
 * the connection that `dial` then leaves by, one turn of the event loop after its call: undici looks once whether a
 * connection that it used before still stands.
 */
export function createSimulatorProvider(options: SimulatorProviderOptions): CallProvider {
  const { url, connectTimeoutMs = 2000, answerTimeoutMs = 15_000 } = options;
  // A connection for each live leg; the carrier keeps idle ones longer than this side does.
  const pool = new Pool(new URL(url).origin, {
    connections: null,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeout: 60_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: answerTimeoutMs,
    // The stream of a live leg carries an empty line every 10 s.
    bodyTimeout: 45_000,
  });
  let closed = false;
  /** Ends the streams of the legs that are watched. */
  const watched = new Map<string, AbortController>();

  /** Runs `watch` with a signal that `letGo` gives. */
  async function watching(ref: AttemptRef, watch: (signal: AbortSignal) => Promise<AttemptResult>) {
    const ends = new AbortController();
    watched.set(inviteText(ref), ends);
    try {
      return await watch(ends.signal);
    } finally {
      if (watched.get(inviteText(ref)) === ends) watched.delete(inviteText(ref));
    }
  }

  const send = (
    path: string,
    body: object,
    limits: { headersTimeout?: number; signal?: AbortSignal } = {},
  ): ReturnType<Pool['request']> => {
    const headers = { 'content-type': 'application/json' };
    return pool.request({ method: 'POST', path, headers, body: JSON.stringify(body), ...limits });
  };

  /** For what may be asked again: every failure means that the carrier could not be asked. */
  async function ask(path: string, body: object): Promise<unknown> {
    let statusCode: number;
    let answer: unknown;
    try {
      const response = await send(path, body);
      statusCode = response.statusCode;
      answer = await response.body.json();
    } catch (error) {
      throw new ProviderUnreachable(`the carrier simulator cannot be asked: ${wordsOf(error)}`, { cause: error });
    }
    if (statusCode !== 200) throw new Error(`the carrier simulator refuses ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async function listen(
    response: Awaited<ReturnType<Pool['request']>>,
    on: (event: CallEvent) => void,
  ): Promise<AttemptResult> {
    for await (const text of linesOf(response.body)) {
      const line = read(LegLine, text);
      if (line.type === 'over') return resultFrom(line.result);
      if (line.type === 'ringing') on({ type: 'ringing', at: new Date(line.at) });
      if (line.type === 'answered') on({ type: 'answered', at: new Date(line.at), answeredBy: line.answeredBy });
    }
    throw new AnswerLost('the carrier simulator stopped before the leg was over');
  }

  return {
    simulated: true,

    async prepare(order) {
      await ask('/rooms', refOf(order));
      // A connection is used again only a turn of the event loop after its last answer; then `dial` finds it free.
      await new Promise((resolve) => setImmediate(resolve));
    },

    async dial(order, on) {
      if (closed) throw new ProviderUnreachable('the provider is closed');
      return watching(order, async (signal) => {
        let response: Awaited<ReturnType<Pool['request']>>;
        try {
          response = await send('/legs', orderOf(order), { signal });
        } catch (error) {
          throw failureToSend(error);
        }
        if (response.statusCode === 200) return listen(response, on);
        await response.body.dump();
        const words = `the carrier simulator answers HTTP ${response.statusCode}`;
        if (response.statusCode >= 500) throw new AnswerLost(words);
        // It reads an order before it places anything: what it calls a bad request went nowhere.
        return { how: 'not_sent', at: new Date(), rang: false, words };
      });
    },

    async hangUp(ref, reason) {
      await ask('/legs/hang-up', { ...refOf(ref), reason });
    },

    async transfer(ref, to) {
      let answer: unknown;
      try {
        const limits = { headersTimeout: transferTimeoutMs };
        const response = await send('/legs/transfer', { ...refOf(ref), transferTo: to }, limits);
        answer = await response.body.json();
        if (response.statusCode === 400) return { transferred: false, message: 'the carrier simulator refuses it' };
        if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
      } catch (error) {
        throw failureToSend(error);
      }
      return read(TransferAnswer, answer);
    },

    async reconcile(ref) {
      const answer = read(ReconcileAnswer, await ask('/legs/reconcile', refOf(ref)));
      return answer.state === 'over' ? resultFrom(answer.result) : answer.state;
    },

    async follow(ref, on) {
      return watching(ref, async (signal) => {
        let response: Awaited<ReturnType<Pool['request']>>;
        try {
          response = await send('/legs/follow', refOf(ref), { signal });
        } catch (error) {
          throw failureToSend(error);
        }
        if (response.statusCode === 200) return listen(response, on);
        await response.body.dump();
        throw new AnswerLost('the carrier simulator knows no such leg');
      });
    },

    letGo(ref) {
      watched.get(inviteText(ref))?.abort();
    },

    async checkGateway(gateway) {
      return read(CheckAnswer, await ask('/gateways/check', { gatewayId: gateway.id }));
    },

    async close() {
      closed = true;
      await pool.destroy();
    },
  };
}

const refOf = ({ callId, attempt, invite, gatewayId, room }: AttemptRef): LegRef => ({
  callId,
  attempt,
  invite,
  gatewayId,
  room,
});

/** Credentials and headers stay here: the simulator has no use for them. */
const orderOf = (order: DialOrder): LegOrder => ({
  ...refOf(order),
  to: order.to,
  from: order.from,
  ringTimeoutSeconds: order.ringTimeoutSeconds,
  maxCallSeconds: order.maxCallSeconds,
  ...(order.disclosure === undefined ? {} : { disclosure: order.disclosure }),
});

function resultFrom({ at, answeredAt, reason, ...rest }: LegResult): AttemptResult {
  return {
    ...rest,
    at: new Date(at),
    ...(answeredAt !== undefined && { answeredAt: new Date(answeredAt) }),
    // The carrier's ledger also has other reasons, such as the limit that an order broke.
    ...(reason !== undefined && (isEndReason(reason) ? { reason } : { words: reason })),
  };
}

const read = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => schema.parse(value);

/** Lines of a stream; empty ones are heartbeats. Rejects with `AnswerLost` if it breaks. */
async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator {
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
  } catch (error) {
    throw new AnswerLost(`the carrier simulator's answer broke off: ${wordsOf(error)}`, { cause: error });
  }
}

/** Nothing sent for certain, or may have been: the difference between dialing again and having to ask first. */
function failureToSend(error: unknown): ProviderUnreachable | AnswerLost {
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || neverConnected.has(code)) {
    return new ProviderUnreachable(`the carrier simulator cannot be reached: ${wordsOf(error)}`, { cause: error });
  }
  return new AnswerLost(`the carrier simulator did not answer: ${wordsOf(error)}`, { cause: error });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message || codeOf(error) : String(error));
