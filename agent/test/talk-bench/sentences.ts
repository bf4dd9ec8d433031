import type { Speaker } from './spoken.js';

/** What callees of a language say. */
export interface Speech {
  readonly language: string;
  readonly speakers: readonly Speaker[];
  /** Complete: the agent is to answer soon. */
  readonly finished: readonly string[];
  /** Two parts with a pause between them, in which the agent is to be silent. */
  readonly unfinished: readonly (readonly [string, string])[];
}

/** Answers of people who are called about an appointment or a bill: short ones, numbers, dates, hesitations, questions. */
export const speeches: readonly Speech[] = [
  {
    language: 'english',
    speakers: [
      { voice: 'en-us', wordsPerMinute: 165 },
      { voice: 'en-us+f3', wordsPerMinute: 190 },
      { voice: 'en-gb', wordsPerMinute: 145 },
    ],
    finished: [
      'Yes, that is right.',
      'Monday morning is fine.',
      'No, thank you.',
      'My number is four one five, double two, nine eight.',
      'I would like to speak to somebody about my bill.',
      'Um, well, I think so.',
      'Can you call me back tomorrow at three?',
      'It is the twenty first of March, nineteen eighty four.',
    ],
    unfinished: [
      ['I would like to', 'move it to Thursday.'],
      ['My number is four one five,', 'two two nine eight.'],
      ['Um, well,', 'I am not sure about that.'],
      ['Yes, but', 'only in the afternoon.'],
      ['It was on the', 'twenty first of March.'],
      ['Could you please tell me if', 'the doctor is there on Friday?'],
    ],
  },
  {
    language: 'german',
    speakers: [{ voice: 'de', wordsPerMinute: 165 }],
    finished: ['Ja, das stimmt.', 'Montag um neun passt mir gut.', 'Können Sie mich morgen zurückrufen?'],
    unfinished: [
      ['Ich würde gern', 'auf Donnerstag wechseln.'],
      ['Meine Nummer ist vier eins fünf,', 'zwei zwei neun acht.'],
    ],
  },
  {
    language: 'spanish',
    speakers: [{ voice: 'es', wordsPerMinute: 170 }],
    finished: ['Sí, está bien.', 'El lunes por la mañana me viene bien.', '¿Me puede llamar mañana?'],
    unfinished: [
      ['Me gustaría', 'cambiarlo al jueves.'],
      ['Mi número es cuatro uno cinco,', 'dos dos nueve ocho.'],
    ],
  },
];
