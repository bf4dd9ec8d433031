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
import { createRooms } from './rooms.js';
import {
  CheckAnswer,
  LegLine,
  type LegOrder,
  type LegRef,
  type LegResult,
  ReconcileAnswer,
  TargetAnswer,
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
/** The target of a warm transfer also listens before it decides. */
const targetTimeoutMs = 180_000;

/** Codes of failures to connect: no byte of the request left. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EMFILE']);

/**
 * The driver of the carrier simulator. A leg is one held request whose response streams what happens. `prepare` opens
 * a connection, and `dial` leaves by one that is open, one turn of the event loop after its call: undici looks once whether a
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
  const watched = new Map<string, () => void>();

  const send = (path: string, body: object, limits: { headersTimeout?: number } = {}): ReturnType<Pool['request']> => {
    return pool.request({ ...post(path, body), ...limits });
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

  /**
   * Sends a request whose answer streams what happens to a leg, and reads it to its end. Handlers instead of streams: this is
   * done for each call.
   *
   * @returns the result of the leg; the status if the answer is not 200
   */
  function watch(
    path: string,
    body: object,
    ref: AttemptRef,
    on: (event: CallEvent) => void,
  ): Promise<AttemptResult | number> {
    const id = inviteText(ref);
    return new Promise<AttemptResult | number>((resolve, reject) => {
      const decoder = new TextDecoder();
      let status = 0;
      let rest = '';
      let isOver = false;
      const end = (result: AttemptResult): void => {
        isOver = true;
        resolve(result);
      };
      let abort = (): void => undefined;
      const forget = (): void => {
        if (watched.get(id) === abort) watched.delete(id);
      };
      pool.dispatch(post(path, body), {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error('the leg was let go'));
          watched.set(id, abort);
        },
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          if (status !== 200) return;
          const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
          rest = lines.pop() ?? '';
          // Empty lines are heartbeats.
          for (const text of lines) if (text !== '') hear(read(LegLine, JSON.parse(text)), on, end);
        },
        onResponseEnd() {
          forget();
          if (status !== 200) resolve(status);
          else if (!isOver) reject(new AnswerLost('the carrier simulator stopped before the leg was over'));
        },
        onResponseError(_controller, error) {
          forget();
          const words = `the carrier simulator's answer broke off: ${wordsOf(error)}`;
          reject(status === 0 ? failureToSend(error) : new AnswerLost(words, { cause: error }));
        },
      });
    });
  }

  const rooms = createRooms((legs) => ask('/rooms', { legs }));

  return {
    simulated: true,

    async prepare(order) {
      await rooms.ask(refOf(order));
      // A connection is used again only a turn of the event loop after its last answer; then `dial` finds it free.
      await new Promise((resolve) => setImmediate(resolve));
    },

    async dial(order, on) {
      if (closed) throw new ProviderUnreachable('the provider is closed', { unsent: null });
      const result = await watch('/legs', orderOf(order), order, on);
      if (typeof result !== 'number') return result;
      const words = `the carrier simulator answers HTTP ${result}`;
      if (result >= 500) throw new AnswerLost(words);
      // It reads an order before it places anything: what it calls a bad request went nowhere.
      return { how: 'not_sent', at: new Date(), rang: false, words };
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

    // The simulated agent is the carrier's: it holds as soon as it calls.
    askToHold: () => Promise.resolve(true),

    prepareTarget: () => Promise.resolve(),

    async callTarget({ leg, transferId, to, ringTimeoutSeconds }) {
      let answer: unknown;
      try {
        const cameIn = leg.inboundRegion !== undefined;
        const body = { ...refOf(leg), transferId, transferTo: to, ringTimeoutSeconds, cameIn };
        const response = await send('/legs/call-target', body, { headersTimeout: targetTimeoutMs });
        answer = await response.body.json();
        if (response.statusCode === 400) return { transferred: false, message: 'the carrier simulator refuses it' };
        if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
      } catch (error) {
        throw failureToSend(error);
      }
      const { answeredAt, leftAt, ...result } = read(TargetAnswer, answer);
      return {
        ...result,
        ...(answeredAt !== undefined && { answeredAt: new Date(answeredAt) }),
        ...(leftAt !== undefined && { leftAt: new Date(leftAt) }),
      };
    },

    async hangUpTarget({ leg, transferId }) {
      await ask('/legs/hang-up-target', { ...refOf(leg), transferId });
    },

    async reconcile(ref) {
      const answer = read(ReconcileAnswer, await ask('/legs/reconcile', refOf(ref)));
      return answer.state === 'over' ? resultFrom(answer.result) : answer.state;
    },

    async follow(ref, on) {
      const result = await watch('/legs/follow', refOf(ref), ref, on);
      if (typeof result !== 'number') return result;
      throw new AnswerLost('the carrier simulator knows no such leg');
    },

    letGo(ref) {
      watched.get(inviteText(ref))?.();
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

const post = (path: string, body: object) => ({
  method: 'POST' as const,
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function hear(line: LegLine, on: (event: CallEvent) => void, over: (result: AttemptResult) => void): void {
  if (line.type === 'over') over(resultFrom(line.result));
  if (line.type === 'ringing') on({ type: 'ringing', at: new Date(line.at) });
  if (line.type === 'answered') on({ type: 'answered', at: new Date(line.at), answeredBy: line.answeredBy });
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

function resultFrom({ at, answeredAt, callbackAt, reason, ...rest }: LegResult): AttemptResult {
  return {
    ...rest,
    at: new Date(at),
    ...(answeredAt !== undefined && { answeredAt: new Date(answeredAt) }),
    ...(callbackAt !== undefined && { callbackAt: new Date(callbackAt) }),
    // The carrier's ledger also has other reasons, such as the limit that an order broke.
    ...(reason !== undefined && (isEndReason(reason) ? { reason } : { words: reason })),
  };
}

const read = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => schema.parse(value);

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
