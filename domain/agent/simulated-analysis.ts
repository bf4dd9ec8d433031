import { textAt } from '../input/json-value.js';
import type { Analysis, AnalysisProperty, AnalysisSchema } from './call-analysis.js';

/*
 * Stands in for a model on a machine that has no key for one, for simulated calls alone: what it says follows from the words of the
 * conversation by the plain rules below.
 */

const agreement = /\b(?:yes|sure|fine|okay|great|thank you|thanks|it does|that suits|go ahead)\b/g;
const refusal = /\b(?:no|not interested|do not call|never|stop|cannot|forgotten)\b/g;
const aboutRefusal = /opt(?:ed|s)?.?out|not to be|do.?not|refus|reject|declin|complain|unhappy|angry|cancel/;

interface Talk {
  /** Words of the callee, in lower case. */
  readonly callee: readonly string[];
  /** All that was said, in lower case. */
  readonly all: string;
  /** Day of the call, `YYYY-MM-DD`. */
  readonly day: string;
  /** More agreement than refusal. */
  readonly agreed: boolean;
  readonly refused: boolean;
}

const count = (text: string, words: RegExp): number => text.match(words)?.length ?? 0;

function talkOf(transcript: readonly unknown[]): Talk {
  const texts = transcript.map((line) => (textAt(line, 'text') ?? '').toLowerCase());
  const callee = texts.filter((_text, index) => textAt(transcript[index], 'speaker') === 'callee');
  const said = callee.join('\n');
  const [yes, no] = [count(said, agreement), count(said, refusal)];
  const day = textAt(transcript[0], 'at')?.slice(0, 10) ?? '1970-01-01';
  return { callee, all: texts.join('\n'), day, agreed: yes > no, refused: no > 0 };
}

function dateIn({ all, day }: Talk): string {
  const named = /\b\d{4}-\d{2}-\d{2}\b/.exec(all)?.[0];
  const days = all.includes('next week') ? 7 : all.includes('tomorrow') ? 1 : 0;
  const start = Date.parse(named ?? day);
  if (Number.isNaN(start)) return day;
  return new Date(start + (named === undefined ? days : 0) * 86_400_000).toISOString().slice(0, 10);
}

/** The choice that is named most often; if none is: the first of a callee who agreed, the last of one who did not. */
function choiceIn(choices: readonly string[], { all, agreed }: Talk): string {
  const otherwise = (agreed ? choices[0] : choices.at(-1)) ?? '';
  const named = (choice: string): number => all.split(choice.toLowerCase()).length - 1;
  return choices.reduce((best, choice) => (named(choice) > named(best) ? choice : best), otherwise);
}

function numberIn({ all, callee }: Talk, isInteger: boolean): number {
  const named = Number(/\b\d{1,9}(?:\.\d{1,3})?\b/.exec(all)?.[0] ?? callee.length);
  return isInteger ? Math.round(named) : named;
}

function valueOf(name: string, property: AnalysisProperty, talk: Talk): string | number | boolean {
  switch (property.type) {
    case 'boolean':
      return aboutRefusal.test(`${name} ${property.description ?? ''}`.toLowerCase()) ? talk.refused : talk.agreed;
    case 'number':
    case 'integer':
      return numberIn(talk, property.type === 'integer');
    case 'string': {
      if (property.enum !== undefined) return choiceIn(property.enum, talk);
      if (property.format === 'date') return dateIn(talk);
      const longest = talk.callee.reduce((best, text) => (text.length > best.length ? text : best), '');
      return `Simulated: ${longest === '' ? 'the callee said nothing' : longest}`.slice(0, 500);
    }
  }
}

/**
 * What a simulated call came to, worked out from its words without a model.
 *
 * @param transcript lines as they are stored
 */
export function simulatedAnalysis({ properties }: AnalysisSchema, transcript: readonly unknown[]): Analysis {
  const talk = talkOf(transcript);
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, valueOf(name, property, talk)]),
  );
}
