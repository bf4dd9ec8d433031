import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import {
  type Answer,
  beginsWell,
  type Fault,
  halfOf,
  nextAnswer,
  nextHeard,
  type Question,
  sampleRate,
  type Script,
  tone,
} from './speech-script.js';
import { acceptWebSocket, type WebSocketEnd } from './web-socket.js';

const Item = z.looseObject({ id: z.string(), type: z.string(), role: z.string().optional() });
const Tool = z.looseObject({ name: z.string() });
const Session = z.looseObject({ instructions: z.string().optional(), tools: z.array(Tool).optional() });
const ClientEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('session.update'), session: Session }),
  z.looseObject({ type: z.literal('conversation.item.create'), previous_item_id: z.string().optional(), item: Item }),
  z.looseObject({ type: z.literal('conversation.item.delete'), item_id: z.string() }),
  z.looseObject({ type: z.literal('conversation.item.truncate'), item_id: z.string(), audio_end_ms: z.number() }),
  z.looseObject({ type: z.literal('input_audio_buffer.append'), audio: z.string() }),
  z.looseObject({ type: z.literal('input_audio_buffer.commit') }),
  z.looseObject({ type: z.literal('input_audio_buffer.clear') }),
  z.looseObject({ type: z.literal('response.cancel') }),
  z.looseObject({
    type: z.literal('response.create'),
    response: z
      .looseObject({
        instructions: z.string().optional(),
        metadata: z.record(z.string(), z.string()).optional(),
        tool_choice: z.unknown().optional(),
      })
      .optional(),
  }),
]);
type ClientEvent = z.infer<typeof ClientEvent>;
type Asked = Extract<ClientEvent, { type: 'response.create' }>['response'];

const loudness = 500;
const silenceSeconds = 0.5;

/** How the protocol says that an answer came to nothing. */
const failures: Partial<Record<Fault, object>> = {
  failed: { status: 'failed', status_details: { type: 'failed', error: { type: 'server_error', code: null } } },
  filtered: { status: 'incomplete', status_details: { type: 'incomplete', reason: 'content_filter' } },
};

/** What realtime models of a fake share with its other models. */
export interface RealtimeFake {
  readonly faultOf: (model: string) => Fault | undefined;
  readonly scriptOf: (model: string) => Script;
  readonly asked: (question: Question) => void;
  readonly spoken: (text: string) => void;
  readonly requested: (model: string) => void;
}

/** One conversation in the OpenAI realtime protocol. It hears speech by its loudness. */
function converse(model: string, fake: RealtimeFake, send: (message: object) => void): (event: ClientEvent) => void {
  let made = 0;
  const newId = (kind: string): string => `${kind}_${++made}`;
  const items: z.infer<typeof Item>[] = [];
  let session: z.infer<typeof Session> = {};
  let speaking = false;
  let quietSeconds = 0;

  function add(item: z.infer<typeof Item>, previous = items.at(-1)?.id): void {
    items.push(item);
    send({ type: 'conversation.item.added', previous_item_id: previous ?? null, item });
    send({ type: 'conversation.item.done', previous_item_id: previous ?? null, item });
  }

  /** @returns whether it was said to the end */
  function say(response_id: string, text: string): boolean {
    const item = { id: newId('item'), type: 'message', role: 'assistant', content: [] };
    const at = { response_id, item_id: item.id, output_index: 0, content_index: 0 };
    fake.spoken(text);
    send({ type: 'response.output_item.added', response_id, output_index: 0, item });
    add(item);
    send({ type: 'response.content_part.added', ...at, part: { type: 'audio', transcript: '' } });
    const isHalf = fake.faultOf(model) === 'half';
    const words = isHalf ? halfOf(text) : text;
    send({ type: 'response.output_audio_transcript.delta', ...at, delta: words });
    const sound = tone(words);
    const chunk = sampleRate / 5;
    for (let from = 0; from < sound.length; from += chunk) {
      send({
        type: 'response.output_audio.delta',
        ...at,
        delta: sound.subarray(from, from + chunk).toString('base64'),
      });
    }
    if (isHalf) return false;
    send({ type: 'response.output_audio.done', ...at });
    send({ type: 'response.output_audio_transcript.done', ...at, transcript: text });
    send({ type: 'response.content_part.done', ...at, part: { type: 'audio', transcript: text } });
    const whole = { ...item, status: 'completed', content: [{ type: 'output_audio', transcript: text }] };
    send({ type: 'response.output_item.done', response_id, output_index: 0, item: whole });
    return true;
  }

  function call(response_id: string, name: string, args: object): void {
    const id = newId('item');
    const item = { id, type: 'function_call', call_id: newId('call'), name, arguments: JSON.stringify(args) };
    send({ type: 'response.output_item.added', response_id, output_index: 0, item: { ...item, arguments: '' } });
    add(item);
    const at = { response_id, item_id: id, output_index: 0, call_id: item.call_id };
    send({ type: 'response.function_call_arguments.done', ...at, name, arguments: item.arguments });
    send({ type: 'response.output_item.done', response_id, output_index: 0, item: { ...item, status: 'completed' } });
  }

  /** A model that is told to say exactly this says it: that is not part of the script. */
  function answerTo(asked: Asked): Answer {
    const exact = /Say exactly this and nothing else: ([^]*)$/.exec(asked?.instructions ?? '')?.[1];
    return exact === undefined ? nextAnswer(fake.scriptOf(model), asked?.tool_choice) : { text: exact };
  }

  function respond(asked: Asked): void {
    const system = { role: 'system', content: asked?.instructions ?? session.instructions };
    const messages = [system, ...items.map((item) => ({ ...item, role: item.role ?? item.type }))];
    fake.asked({ model, messages, tools: (session.tools ?? []).map(({ name }) => name) });
    const fault = fake.faultOf(model);
    if (fault === 'stall') return;
    const response = { id: newId('response'), object: 'realtime.response', metadata: asked?.metadata ?? null };
    send({ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } });
    const ill = fault === undefined ? undefined : failures[fault];
    if (ill !== undefined) {
      send({ type: 'response.done', response: { ...response, ...ill, output: [] } });
      return;
    }
    const answer = answerTo(asked);
    if ('text' in answer) {
      if (!say(response.id, answer.text)) return;
    } else call(response.id, answer.tool, answer.args ?? {});
    const usage = { total_tokens: 30, input_tokens: 20, output_tokens: 10 };
    send({ type: 'response.done', response: { ...response, status: 'completed', output: [], usage } });
  }

  function hear(pcm: Buffer): void {
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    const seconds = samples.length / sampleRate;
    quietSeconds = Math.sqrt(power) > loudness ? 0 : quietSeconds + seconds;
    if (quietSeconds === 0 && !speaking) {
      speaking = true;
      send({ type: 'input_audio_buffer.speech_started', item_id: `item_heard_${made}`, audio_start_ms: 0 });
    }
    if (!speaking || quietSeconds < silenceSeconds) return;
    speaking = false;
    const id = newId('item');
    send({ type: 'input_audio_buffer.speech_stopped', item_id: id, audio_end_ms: 0 });
    send({ type: 'input_audio_buffer.committed', item_id: id, previous_item_id: items.at(-1)?.id ?? null });
    add({ id, type: 'message', role: 'user', content: [{ type: 'input_audio' }] });
    const transcript = nextHeard(fake.scriptOf(model));
    const type = 'conversation.item.input_audio_transcription.completed';
    send({ type, item_id: id, content_index: 0, transcript });
    respond(undefined);
  }

  // It says in `owner` that it is a fake.
  send({
    type: 'session.created',
    session: { type: 'realtime', object: 'realtime.session', id: 'fake', model, owner: 'a fake' },
  });
  return (event) => {
    switch (event.type) {
      case 'session.update':
        session = { ...session, ...event.session };
        send({ type: 'session.updated', session });
        return;
      case 'conversation.item.create':
        add(event.item, event.previous_item_id);
        return;
      case 'conversation.item.delete':
        send({ type: 'conversation.item.deleted', item_id: event.item_id });
        return;
      case 'conversation.item.truncate':
        send({ type: 'conversation.item.truncated', item_id: event.item_id, audio_end_ms: event.audio_end_ms });
        return;
      case 'input_audio_buffer.append':
        hear(Buffer.from(event.audio, 'base64'));
        return;
      case 'response.create':
        respond(event.response);
        return;
      default:
    }
  };
}

export interface RealtimeServer {
  readonly take: (request: IncomingMessage, socket: Duplex) => void;
  /** Ends every conversation with a model, as a provider that dies. */
  readonly cut: (model: string) => void;
  /** Has every conversation with a model get this event. */
  readonly send: (model: string, event: object) => void;
  /** Ends them all. */
  readonly close: () => void;
}

/** Realtime models at the same address as the others. */
export function createRealtimeServer(fake: RealtimeFake): RealtimeServer {
  const open = new Map<WebSocketEnd, string>();
  const sockets = new Set<Duplex>();
  return {
    take(request, socket) {
      const model = new URL(request.url ?? '', 'http://fake').searchParams.get('model') ?? '';
      fake.requested(model);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      const fault = fake.faultOf(model);
      if (fault === 'error')
        socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      if (fault === 'drop') socket.destroy();
      if (!beginsWell(fault) && fault !== 'stall') return;
      const end: WebSocketEnd = acceptWebSocket(request, socket, {
        message: (message) => listen(ClientEvent.parse(message)),
        close: () => open.delete(end),
      });
      open.set(end, model);
      const listen = converse(model, fake, (message) => end.send(message));
    },
    cut(model) {
      for (const [end, of] of open) if (of === model) end.destroy();
    },
    send(model, event) {
      for (const [end, of] of open) if (of === model) end.send(event);
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
