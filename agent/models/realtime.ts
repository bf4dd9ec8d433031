import * as openai from '@livekit/agents-plugin-openai';
import { WebSocket } from 'ws';
import { whenLate } from './promptness.js';

/** Events of the protocol, by `type`: those that ask the model for an answer, and those that show that one comes. */
const asks: readonly string[] = ['response.create', 'input_audio_buffer.speech_stopped'];
const shows: readonly string[] = [
  ...['response.output_item.added', 'response.done', 'error'],
  // The callee goes on; it is asked again when they are done.
  'input_audio_buffer.speech_started',
];

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
 * A connection that is refused, does not open, or breaks counts as a failure of the model, and the next takes over: the plug-in's
 * own way to a connection ends the process of the conversation if one breaks before it is open.
 */
class Session extends openai.realtime.RealtimeSession {
  private inTime: (() => void) | undefined;
  private isOver = false;

  constructor(
    model: openai.realtime.RealtimeModel,
    private readonly access: ModelAccess,
  ) {
    super(model);
    const heard = ({ type }: { readonly type: string }): void => this.heard(type);
    this.on('openai_client_event_queued', heard);
    this.on('openai_server_event_received', heard);
  }

  override async close(): Promise<void> {
    this.isOver = true;
    this.inTime?.();
    await super.close();
  }

  private heard(type: string): void {
    if (shows.includes(type)) this.inTime?.();
    if (!asks.includes(type)) return;
    this.inTime?.();
    this.inTime = whenLate(this.access.ms, () => this.fail(new Error('the realtime model does not answer')));
  }

  private fail(error: Error): void {
    const label = this.access.model;
    this.emit('error', { type: 'realtime_model_error', timestamp: Date.now(), label, error, recoverable: false });
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
