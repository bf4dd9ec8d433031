/** Scripts that write without spaces: Postgres would take a whole sentence of theirs for one word. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * The vowel am of Thai and of Lao as one character, after its tone mark. NFKC takes it apart, which dictionaries of words do not know, and many
 * people type the tone mark between its parts.
 */
const withWholeAm = (text: string): string =>
  text.replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32/g, '$1\u0e33').replace(/\u0ecd([\u0ec8-\u0ecb]?)\u0eb2/g, '$1\u0eb3');

/**
 * A text as it is indexed and as questions are asked: in lower case, because a database with the C locale knows that of
 * ASCII only, one form of each character, and with spaces between the words of scripts that have none.
 */
export const searchable = (text: string): string =>
  withWholeAm(text.normalize('NFKC').toLowerCase()).replace(
    unspaced,
    (run) => ` ${Array.from(words.segment(run), ({ segment }) => segment).join(' ')} `,
  );

/** Languages, ISO 639-1, that can be detected and that Postgres 15 and later stem, by its names for them. */
const configurations: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  lt: 'lithuanian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** Postgres' text search configuration for a language; `simple`, which takes words as they are, for all others. */
export const searchConfiguration = (language: string | null): string => configurations[language ?? ''] ?? 'simple';
