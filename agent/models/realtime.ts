import * as openai from '@livekit/agents-plugin-openai';
import { WebSocket } from 'ws';
import { whenLate } from './promptness.js';

/** Events of the protocol, by `type`: those that ask the model for an answer, and those after which none is waited for. */
const asks: readonly string[] = ['response.create', 'input_audio_buffer.speech_stopped'];
const callsOff: readonly string[] = [
  'response.cancel',
  // The callee goes on; the model is asked again when they are done.
  'input_audio_buffer.speech_started',
];

/** Of an event of the protocol, what tells whether an answer comes. */
interface ProtocolEvent {
  readonly type: string;
  readonly event_id?: string;
  readonly response?: { readonly status?: string; readonly status_details?: { readonly reason?: string } | null };
  readonly error?: { readonly event_id?: string | null; readonly code?: string | null };
}

/** An answer does not come, or not to its end. The model can be asked again: it does not fail before the second in a row. */
export class RealtimeAnswerLost extends Error {}

/**
 * Opens a connection to a realtime model.
 *
 * @param ms how long it may take
 * @throws if it is refused, or does not open in time
 */
function connect(url: URL, apiKey: string, ms: number): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}` } });
  return new Promise((resolve, reject) => {
    const inTime = whenLate(ms, () => {
      reject(new Error('the realtime model does not open the line'));
      socket.terminate();
    });
    // It stays: an error that nothing listens for would end the process.
    socket.on('error', reject);
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
      reject(new Error(`the realtime model refuses with status ${statusCode}`));
      socket.terminate();
    });
    socket.once('open', () => resolve(socket));
    for (const end of ['open', 'close'] as const) socket.once(end, inTime);
  });
}

const defaultBaseUrl = 'https://api.openai.com/v1';

interface ModelAccess {
  readonly baseUrl: string | undefined;
  readonly model: string;
  readonly apiKey: string;
  /** How long it may take to open the connection, and to begin each answer. */
  readonly ms: number;
}

/**
 * A connection that is refused or does not open counts as a failure of the model, and the next takes over: the plug-in's own way to
 * a connection ends the process of the conversation if one breaks before it is open. So does an answer that does not begin or
 * stops in the middle.
 */
class Session extends openai.realtime.RealtimeSession {
  /** Calls off the wait for the answer that is due, or for the rest of it; undefined if none is. */
  private inTime: (() => void) | undefined;
  private askedBy: string | undefined;
  private isLost = false;
  private isOver = false;

  constructor(
    model: openai.realtime.RealtimeModel,
    private readonly access: ModelAccess,
  ) {
    super(model);
    const heard = (event: ProtocolEvent): void => this.heard(event);
    this.on('openai_client_event_queued', heard);
    this.on('openai_server_event_received', heard);
    // The plug-in has opened another line and told the model what was said, but does not ask again.
    this.on('session_reconnected', () => this.lose('the line broke'));
  }

  override async close(): Promise<void> {
    this.isOver = true;
    this.settle();
    await super.close();
  }

  private heard({ type, event_id, response, error }: ProtocolEvent): void {
    if (asks.includes(type)) {
      this.askedBy = event_id;
      this.wait();
    } else if (callsOff.includes(type)) this.settle();
    else if (type === 'response.done') this.ended(response);
    else if (type === 'error') {
      // If another answer is under way, that one is heard.
      const isRefused = typeof error?.event_id === 'string' && error.event_id === this.askedBy;
      if (isRefused && error.code !== 'conversation_already_has_active_response') this.lose('it was refused');
    } else if (type.startsWith('response.') && this.inTime !== undefined) this.wait();
  }

  private ended({ status, status_details }: NonNullable<ProtocolEvent['response']> = {}): void {
    // Whatever cancelled it has called off the wait, and another may have been asked for since.
    if (status === 'cancelled') return;
    if (status === 'failed' || status_details?.reason === 'content_filter') this.lose(`it was ${status}`);
    else this.isLost = false;
    this.settle();
  }

  private wait(): void {
    this.inTime?.();
    this.inTime = whenLate(this.access.ms, () => this.fail(new Error('the realtime model does not answer')));
  }

  private settle(): void {
    this.inTime?.();
    this.inTime = undefined;
  }

  /** Has the answer that is due, if one is, asked for again; the second time in a row, the model fails. */
  private lose(why: string): void {
    if (this.inTime === undefined) return;
    this.settle();
    const words = `an answer of the realtime model was lost: ${why}`;
    if (this.isLost) this.fail(new Error(words));
    else this.fail(new RealtimeAnswerLost(words), true);
    this.isLost = true;
  }

  private fail(error: Error, recoverable = false): void {
    const label = this.access.model;
    this.emit('error', { type: 'realtime_model_error', timestamp: Date.now(), label, error, recoverable });
  }

  async connect(): Promise<WebSocket> {
    // Called while the plug-in's own constructor runs.
    await Promise.resolve();
    const { baseUrl = defaultBaseUrl, model, apiKey, ms } = this.access;
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/realtime`);
    url.searchParams.set('model', model);
    try {
      const socket = await connect(url, apiKey, ms);
      // The plug-in has no use for it any more, and would leave it open.
      if (this.isOver) socket.close();
      return socket;
    } catch (reason) {
      const error = reason instanceof Error ? reason : new Error('no connection');
      this.fail(error);
      throw error;
    }
  }
}

// The plug-in declares its way to a connection private, and calls it again after each that breaks.
const name = 'createWsConn';
if (!Reflect.has(openai.realtime.RealtimeSession.prototype, name)) {
  throw new Error(`the OpenAI plug-in has no ${name} any more`);
}
Object.defineProperty(Session.prototype, name, {
  value(this: Session): Promise<WebSocket> {
    return this.connect();
  },
});

/** OpenAI's speech-to-speech, or that of a server which speaks its protocol. */
export class OpenAiRealtime extends openai.realtime.RealtimeModel {
  constructor(private readonly options: { readonly voice: string | null } & ModelAccess) {
    const { model, apiKey, baseUrl, voice, ms } = options;
    super({
      model,
      apiKey,
      ...(voice === null ? {} : { voice }),
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
      // What is tried again goes to another model before long.
      connOptions: { timeoutMs: ms, maxRetry: 1, retryIntervalMs: 500 },
    });
  }

  override session(): openai.realtime.RealtimeSession {
    return new Session(this, this.options);
  }
}
