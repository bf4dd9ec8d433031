/** Passages are about this long: enough to answer from, little enough for a model to read several in mid-call. */
const usualCharacters = 900;
const mostCharacters = 1_400;

const sentenceEnd = /[.!?…。！？؟।॥]["'”’)\]]*\s+/gu;

/** Where to cut what is too long: after a sentence, else a line, else a word, else between two characters. */
function cutOf(text: string): number {
  const window = text.slice(0, mostCharacters);
  const ends = [...window.matchAll(sentenceEnd)].map((match) => match.index + match[0].length);
  const cut = ends.at(-1) ?? Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' ')) + 1;
  if (cut > mostCharacters / 4) return cut;
  // Not between the halves of one character.
  return /[\ud800-\udbff]$/.test(window) ? mostCharacters - 1 : mostCharacters;
}

/** Paragraphs, those that are too long in pieces. */
function* piecesOf(text: string): Generator<string> {
  for (const paragraph of text.split(/\n{2,}/)) {
    let rest = paragraph.trim();
    while (rest.length > mostCharacters) {
      const cut = cutOf(rest);
      yield rest.slice(0, cut).trim();
      rest = rest.slice(cut).trim();
    }
    if (rest !== '') yield rest;
  }
}

/** A short line that ends no sentence belongs to what follows it. */
const isHeading = (piece: string): boolean =>
  piece.length <= 80 && !piece.includes('\n') && !/[.!?;,…。！？।]$/u.test(piece);

/**
 * A text in passages, in order: whole paragraphs together up to some 900 characters, none over 1,500. A heading goes with
 * what it stands over.
 */
export function* splitPassages(text: string): Generator<string> {
  let pieces: string[] = [];
  let length = 0;
  for (const piece of piecesOf(text)) {
    if (pieces.length > 0 && length + piece.length > usualCharacters) {
      const heading = pieces.length > 1 && isHeading(pieces.at(-1) ?? '') ? pieces.splice(-1) : [];
      yield pieces.join('\n\n');
      pieces = heading;
      length = heading[0]?.length ?? 0;
    }
    pieces.push(piece);
    length += piece.length;
  }
  if (pieces.length > 0) yield pieces.join('\n\n');
}
