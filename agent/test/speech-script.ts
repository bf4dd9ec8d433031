/** What a model does next: it says something, or calls a function. */
export type Answer = { readonly text: string } | { readonly tool: string; readonly args?: object };

export interface Script {
  /** What the next pieces of speech are understood as, in order; then `nothing in particular`. */
  readonly hears: string[];
  /** What the model does next, in order; then it says that it has nothing to say. */
  readonly answers: Answer[];
}

/** What a model was asked. */
export interface Question {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly [field: string]: unknown }[];
  readonly tools: readonly string[];
}

/**
 * `error`: status 500. `silence`: never answers. `stall`: begins to answer and goes no further. `drop`: hangs up. `half`: stops in
 * the middle of its words. `empty`: has no words at all. `failed`, `filtered`: says so instead of an answer. `empty` is a fault of
 * language models, and so is `disobeys`: calls a function although it must not. `failed` and `filtered` are faults of realtime models,
 * and `half` is one of either.
 */
export type Fault = 'error' | 'silence' | 'stall' | 'drop' | 'half' | 'empty' | 'disobeys' | 'failed' | 'filtered';

/** Whether a model with this fault takes requests, and does wrong later. */
export const beginsWell = (fault: Fault | undefined): boolean =>
  fault === undefined || !['error', 'silence', 'stall', 'drop'].includes(fault);

export const sampleRate = 24_000;

/** A tone of 440 Hz in 16 bits, 50 ms for each letter. */
export function tone(text: string): Buffer {
  const samples = Math.round(Math.min(20, Math.max(0.4, text.length * 0.05)) * sampleRate);
  const pcm = Buffer.alloc(samples * 2);
  for (let at = 0; at < samples; at++) {
    pcm.writeInt16LE(Math.round(9_000 * Math.sin((2 * Math.PI * 440 * at) / sampleRate)), at * 2);
  }
  return pcm;
}

/** The words that a model gets out which stops in the middle. */
export const halfOf = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

/** What a scripted model understands next. */
export const nextHeard = ({ hears }: Script): string => hears.shift() ?? 'nothing in particular';

/** What a scripted model does next. @param choice `none`: it may call no function, so words outside the script are wanted */
export const nextAnswer = ({ answers }: Script, choice: unknown): Answer =>
  (choice === 'none' ? { text: 'Words of the model.' } : answers.shift()) ?? { text: 'I have nothing to say.' };
