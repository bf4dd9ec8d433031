import { eld } from 'eld/extrasmall';

/** A few pages tell the language as well as all of them. */
const sampleCharacters = 20_000;

/** The language that a text is mostly in, ISO 639-1; null if that is not clear. */
export function detectLanguage(text: string): string | null {
  const result = eld.detect(text.slice(0, sampleCharacters));
  return result.language !== '' && result.isReliable() ? result.language : null;
}
