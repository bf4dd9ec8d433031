import { request as requestSecure } from 'node:https';
import { request as requestPlain } from 'node:http';
import * as openai from '@livekit/agents-plugin-openai';
import { whenLate } from './promptness.js';

/** Events of the protocol, by `type`: those that ask the model for an answer, and those that show that one comes. */
const asks: readonly string[] = ['response.create', 'input_audio_buffer.speech_stopped'];
const shows: readonly string[] = [
  ...['response.output_item.added', 'response.done', 'error'],
  // The callee goes on; it is asked again when they are done.
  'input_audio_buffer.speech_started',
];

/** Opens a WebSocket, and closes it. @throws if it is refused, or does not open in time */
function knock(url: URL, apiKey: string, ms: number): Promise<void> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      headers: {
        authorization: `Bearer ${apiKey}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.from('outdial knocks !').toString('base64'),
      },
    });
    const inTime = whenLate(ms, () => asked.destroy(new Error('the realtime model does not open the line')));
    asked.on('close', inTime);
    asked.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve();
    });
    asked.on('response', (response) => {
      response.resume();
      reject(new Error(`the realtime model refuses with status ${response.statusCode ?? 0}`));
    });
    asked.on('error', reject);
    asked.end();
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
 * The plug-in dies of a connection that is refused, and says nothing of one that does not open. So it is tried before, each
 * time; a problem counts as a failure of the model, and the next takes over.
 */
class Session extends openai.realtime.RealtimeSession {
  private inTime: (() => void) | undefined;

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

  async knock(): Promise<void> {
    // Called while the plug-in's own constructor runs.
    await Promise.resolve();
    const { baseUrl = defaultBaseUrl, model, apiKey, ms } = this.access;
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/realtime`);
    url.searchParams.set('model', model);
    try {
      await knock(url, apiKey, ms);
    } catch (reason) {
      const error = reason instanceof Error ? reason : new Error('no connection');
      this.fail(error);
      throw error;
    }
  }
}

// The plug-in declares its way to a connection private, and calls it again after each that breaks.
const name = 'createWsConn';
const connect: unknown = Reflect.get(openai.realtime.RealtimeSession.prototype, name);
if (typeof connect !== 'function') throw new Error(`the OpenAI plug-in has no ${name} any more`);
Object.defineProperty(Session.prototype, name, {
  async value(this: Session): Promise<unknown> {
    await this.knock();
    return Reflect.apply(connect, this, []);
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
