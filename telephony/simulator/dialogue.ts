import type { AnsweredBy } from '../../domain/call/call.js';
import type { TranscriptLine } from '../provider.js';
import { seededRandom } from './random.js';

type Turn = readonly [speaker: TranscriptLine['speaker'], text: string];

const conversations: readonly (readonly Turn[])[] = [
  [
    ['agent', 'Hello, this is a simulated assistant. Do you have a minute?'],
    ['callee', 'Yes, go ahead.'],
    ['agent', 'I am calling to confirm your appointment. Does it still suit you?'],
    ['callee', 'It does, thank you.'],
    ['agent', 'Then it is confirmed. Have a good day.'],
    ['callee', 'Goodbye.'],
  ],
  [
    ['agent', 'Hello, this is a simulated assistant. Is this a good moment?'],
    ['callee', 'What is it about?'],
    ['agent', 'A short reminder of what you have booked with us.'],
    ['callee', 'I had forgotten. Can I move it to next week?'],
    ['agent', 'I will pass that on and someone will be in touch.'],
    ['callee', 'All right, goodbye.'],
  ],
  [
    ['agent', 'Hello, this is a simulated assistant.'],
    ['callee', 'I am not interested, please do not call again.'],
    ['agent', 'I understand and will note that. Goodbye.'],
  ],
];

const voicemail: readonly Turn[] = [
  ['callee', 'No one can take your call. Please leave a message after the tone.'],
  ['agent', 'Hello, this is a simulated assistant with a reminder. We will try again later.'],
];

const announcement: readonly Turn[] = [['callee', 'The number you have dialed is not in service. Please check it.']];

/** A turn of speech takes about this long: a call that was cut short holds the turns that fitted. */
const secondsPerTurn = 4;

export interface Conversation {
  readonly seed: number;
  readonly to: string;
  readonly attempt: number;
  readonly answeredBy: AnsweredBy;
  /** A machine that takes no message. */
  readonly isAnnouncement?: boolean;
  /** What the callee says; omitted: one or the other. */
  readonly agrees?: boolean | undefined;
  readonly answeredAtMs: number;
  readonly endedAtMs: number;
  /** Simulated seconds that pass in one real second. */
  readonly speed: number;
  /** Text that the agent says before anything else; null: none. */
  readonly disclosure: string | null;
}

/** The transcript of a simulated conversation. Depends on its argument alone, so that the ledger does not need to store it. */
export function transcriptOf(conversation: Conversation): TranscriptLine[] {
  const { answeredBy, answeredAtMs, endedAtMs, disclosure } = conversation;
  const random = seededRandom(conversation.seed, conversation.to, conversation.attempt, 'dialogue');
  const drawn = Math.floor(random() * conversations.length);
  const talk = conversations.at(conversation.agrees === undefined ? drawn : conversation.agrees ? 0 : -1) ?? [];
  const machine = conversation.isAnnouncement === true ? announcement : voicemail;
  const script = answeredBy === 'machine' ? machine : talk;
  const firstWord = script.findIndex(([speaker]) => speaker === 'agent');
  const said: readonly Turn[] = disclosure === null ? [] : [['agent', disclosure]];
  const turns = firstWord === -1 ? script : [...script.slice(0, firstWord), ...said, ...script.slice(firstWord)];
  const lengthMs = Math.max(0, endedAtMs - answeredAtMs);
  const spoken = Math.min(turns.length, 1 + Math.floor((lengthMs * conversation.speed) / 1000 / secondsPerTurn));
  return turns.slice(0, spoken).map(([speaker, text], index) => ({
    speaker,
    text,
    at: new Date(answeredAtMs + Math.floor((lengthMs * index) / spoken)).toISOString(),
  }));
}
