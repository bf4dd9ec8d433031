import { APIConnectionError, type APIError, APITimeoutError, type llm, stt, type tts, type VAD } from '@livekit/agents';
import { mayEndInSilence } from '../../domain/session-plan/tool-names.js';

/** How long a model may take to begin its answer if there is a fallback: the callee is waiting. */
const attemptMs = 3_000;
/** The same without a fallback: a late answer is better than none. */
const lastChanceMs = 10_000;

/** @param models how many there are for the slot */
export const patienceMs = (models: number): number => (models > 1 ? attemptMs : lastChanceMs);

/** In so many steps is time measured: a process that stood still in one of them has lost no more than that. */
const steps = 10;

/**
 * Calls back when the time is up, and what had come in by then is read: in a process that was busy it is still waiting. Time in
 * which the process stands still does not count against a model.
 *
 * @returns calls it off
 */
export function whenLate(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  const wait = (left: number): void => {
    timer = setTimeout(() => {
      soon = setImmediate(left > 1 ? wait : act, left - 1);
    }, ms / steps);
  };
  wait(steps);
  return () => {
    clearTimeout(timer);
    clearImmediate(soon);
  };
}

const late = (): APITimeoutError => new APITimeoutError({ message: 'the model did not answer in time' });

/** @param mayCall whether functions that it calls are carried out */
const isAnswer = ({ delta }: llm.ChatChunk, mayCall: boolean): boolean =>
  (delta?.content ?? '').trim() !== '' || (mayCall && (delta?.toolCalls ?? []).length > 0);

/** Whether the callee waits for an answer: not after a function that may be all there is to do. */
function owesAnswer({ items }: llm.ChatContext): boolean {
  const last = items.at(-1);
  return last?.type !== 'function_call_output' || !mayEndInSilence(last.name);
}

/**
 * Has a language model fail that does not begin to answer, stops in the middle, or answers nothing: plug-ins wait for headers
 * alone, and an empty answer would be silence. So would a function that it calls although it must not.
 */
export function promptLlm<Model extends llm.LLM>(model: Model, ms: number): Model {
  const chat = model.chat.bind(model);
  model.chat = (options) => {
    const stream = chat(options);
    const next = stream.next.bind(stream);
    let isOwed = owesAnswer(options.chatCtx);
    const failed = (): void => {
      isOwed = false;
    };
    model.once('error', failed);
    const fail = (error: APIError): void => {
      const facts = { timestamp: Date.now(), label: model.label(), recoverable: false };
      model.emit('error', { type: 'llm_error', error, ...facts });
      stream.close();
    };
    stream.next = async () => {
      const inTime = whenLate(ms, () => fail(late()));
      try {
        const result = await next();
        if (result.done !== true) {
          if (isAnswer(result.value, options.toolChoice !== 'none')) isOwed = false;
          return result;
        }
        model.off('error', failed);
        if (isOwed) fail(new APIConnectionError({ message: 'the model answered nothing' }));
        return result;
      } finally {
        inTime();
      }
    };
    return stream;
  };
  return model;
}

/** Has a voice fail that makes no sound in time: most plug-ins would wait for minutes. An empty stream is a failure. */
export function promptTts<Voice extends tts.TTS>(voice: Voice, ms: number): Voice {
  const synthesize = voice.synthesize.bind(voice);
  voice.synthesize = (...request) => {
    const sound = synthesize(...request);
    const next = sound.next.bind(sound);
    sound.next = async () => {
      const inTime = whenLate(ms, () => sound.close());
      try {
        return await next();
      } finally {
        inTime();
      }
    };
    return sound;
  };
  const stream = voice.stream.bind(voice);
  voice.stream = (options) => {
    const sound = stream(options);
    let inTime: (() => void) | undefined;
    const next = sound.next.bind(sound);
    sound.next = async () => {
      const result = await next();
      inTime?.();
      return result;
    };
    // Words arrive as the language model produces them; from here on the voice has them all.
    for (const method of ['flush', 'endInput'] as const) {
      const original = sound[method].bind(sound);
      sound[method] = () => {
        inTime ??= whenLate(ms, () => sound.close());
        original();
      };
    }
    return sound;
  };
  return voice;
}

/** A model that failed is skipped for this time, so that the callee does not wait for it at each sentence. */
const passOverMs = 30_000;

/**
 * Understands each piece of speech by the first model that can. The library's own fallback would hear only what comes
 * after a failure, and the callee would have to say it again.
 */
class Recognizers extends stt.STT {
  label = 'outdial.Recognizers';
  private readonly failedAt = new Map<stt.STT, number>();

  /** @param models that take whole pieces of speech */
  constructor(
    private readonly models: readonly stt.STT[],
    private readonly ms: number,
  ) {
    super({ streaming: false, interimResults: false });
  }

  protected override async _recognize(sound: Parameters<stt.STT['recognize']>[0], signal?: AbortSignal) {
    let reason: unknown;
    for (const model of this.inOrder()) {
      try {
        const event = await this.attempt(model, sound, signal);
        this.failedAt.delete(model);
        return event;
      } catch (error) {
        if (signal?.aborted === true) throw error;
        this.failedAt.set(model, Date.now());
        reason = error;
      }
    }
    const error = new APIConnectionError({ message: 'no model understands the callee', options: { retryable: false } });
    error.cause = reason;
    // Recoverable: what the callee says next may be understood.
    this.emit('error', { type: 'stt_error', timestamp: Date.now(), label: this.label, error, recoverable: true });
    throw error;
  }

  override stream(): stt.SpeechStream {
    throw new Error('these models take whole pieces of speech');
  }

  private inOrder(): stt.STT[] {
    const isOut = (model: stt.STT): boolean => Date.now() - (this.failedAt.get(model) ?? -Infinity) < passOverMs;
    // Those that have failed come last, all the same: they may have come to again.
    return [...this.models.filter((model) => !isOut(model)), ...this.models.filter(isOut)];
  }

  private async attempt(model: stt.STT, sound: Parameters<stt.STT['recognize']>[0], signal?: AbortSignal) {
    const ended = new AbortController();
    let inTime: (() => void) | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      inTime = whenLate(this.ms, () => {
        reject(late());
        ended.abort();
      });
    });
    try {
      const signals = signal === undefined ? [ended.signal] : [signal, ended.signal];
      return await Promise.race([model.recognize(sound, AbortSignal.any(signals)), tooLate]);
    } finally {
      inTime?.();
    }
  }
}

/** A model among streaming ones that takes whole pieces of speech. Its stream ends when it fails, so that the next gets the sound. */
function asStream(model: stt.STT, vad: VAD, ms: number): stt.STT {
  const recognizer = new Recognizers([model], ms);
  const adapter = new stt.StreamAdapter(recognizer, vad);
  const open = adapter.stream.bind(adapter);
  adapter.stream = (options) => {
    const stream = open(options);
    recognizer.once('error', () => stream.close());
    return stream;
  };
  return adapter;
}

/** Speech-to-text by the first of these models that can. */
export function firstToUnderstand(models: readonly stt.STT[], vad: VAD): stt.STT {
  const ms = patienceMs(models.length);
  const [first] = models;
  if (first !== undefined && models.length === 1 && first.capabilities.streaming) return first;
  if (models.every(({ capabilities }) => !capabilities.streaming)) return new Recognizers(models, ms);
  const sttInstances = models.map((model) => (model.capabilities.streaming ? model : asStream(model, vad, ms)));
  return new stt.FallbackAdapter({ sttInstances, vad, attemptTimeoutMs: ms, maxRetryPerSTT: 0 });
}
