import type { Problem } from '../errors.js';
import { deepest, mostKeys, shapeLimits, type ShapeLimits, shownPath, type Step } from './json-shape.js';

const [quote, backslash, comma, colon, space] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A text between quotes, by the places where it begins and ends. */
interface Quoted {
  readonly from: number;
  readonly to: number;
}

/** A list or an object that has been opened and not closed. */
interface Open {
  readonly isList: boolean;
  /** Values in it so far. */
  count: number;
  /** Name of the last of them, in an object. */
  name: Quoted;
}

/** Longest name that a path shows, in bytes. */
const longestNameShown = 200;

function nameIn(text: Buffer, { from, to }: Quoted): string {
  if (to - from > longestNameShown) return '…';
  try {
    return String(JSON.parse(text.toString('utf8', from, to)));
  } catch {
    return '…'; // no text of JSON is between these quotes
  }
}

const pathTo = (text: Buffer, opened: readonly Open[]): string =>
  shownPath(opened.map(({ isList, count, name }): Step => (isList ? count - 1 : nameIn(text, name))));

/** Where the text that begins at this quote ends: behind its second quote. */
function endOfQuoted(text: Buffer, from: number): number {
  for (let index = from + 1; index < text.length; index += 1) {
    if (text[index] === backslash) index += 1;
    else if (text[index] === quote) return index + 1;
  }
  return text.length;
}

/**
 * Why a JSON text holds a value that is larger in some direction than anything the service reads, or null. Nothing is built
 * of it, and nothing is read twice: to a hostile text this answers in milliseconds, where `JSON.parse` takes up to a second
 * and hundreds of megabytes. Whether it is JSON at all remains to be seen.
 */
export function shapeProblemOfText(text: Buffer, limits: ShapeLimits = {}): Problem | null {
  const { mostEntries, mostValues } = shapeLimits(limits);
  const opened: Open[] = [];
  let values = 0;
  let quoted: Quoted = { from: 0, to: 0 };

  const problemOfOneMore = (inner: Open): Problem | null => {
    inner.count += 1;
    inner.name = quoted;
    values += 1;
    const [most, what] = inner.isList ? [mostEntries, 'entries'] : [mostKeys, 'fields'];
    const path = inner.count > most ? pathTo(text, opened.slice(0, -1)) : '';
    if (inner.count > most) return { path, code: 'OUT_OF_RANGE', message: `must have at most ${most} ${what}` };
    if (values <= mostValues) return null;
    return { path: '', code: 'OUT_OF_RANGE', message: `must have at most ${mostValues} values in all` };
  };

  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index] ?? space;
    if (byte <= space) continue;
    const inner = opened.at(-1);
    const begins = inner?.isList === true && (byte === comma || (inner.count === 0 && byte !== closeList));
    if (begins || (inner?.isList === false && byte === colon)) {
      const problem = problemOfOneMore(inner);
      if (problem !== null) return problem;
    }
    if (byte === quote) {
      quoted = { from: index, to: endOfQuoted(text, index) };
      index = quoted.to - 1;
    } else if (byte === openList || byte === openObject) {
      if (opened.length >= deepest) {
        return { path: pathTo(text, opened), code: 'INVALID_VALUE', message: `is nested over ${deepest} deep` };
      }
      opened.push({ isList: byte === openList, count: 0, name: quoted });
    } else if (byte === closeList || byte === closeObject) opened.pop();
  }
  return null;
}
