/** Longer texts are not searched for their fault: finding it reads a text some twenty times. */
const longestSearched = 100_000;

const reads = (text: string): string | null => {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const positionIn = (message: string): number | null => {
  const [, digits] = /at position (\d+)/.exec(message) ?? [];
  return digits === undefined ? null : Number(digits);
};

/** Whether a text that is no JSON could become some if more followed. */
function isOnlyCutOff(text: string): boolean {
  const message = reads(text);
  if (message === null || /end of JSON input|^Unterminated/.test(message)) return true;
  const position = positionIn(message);
  return position !== null && position >= text.length;
}

/** Index of the first character that no JSON could have there. */
function faultOf(text: string, message: string): number | null {
  if (isOnlyCutOff(text)) return text.length;
  const position = positionIn(message);
  if (position !== null) return position;
  if (text.length > longestSearched) return null;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isOnlyCutOff(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/**
 * Where a text stops being JSON, for the person who wrote it, such as `line 3, column 14`; null if the text is JSON, or
 * if it is too long to be searched.
 */
export function placeOfJsonFault(text: string): string | null {
  const message = reads(text);
  const fault = message === null ? null : faultOf(text, message);
  if (fault === null) return null;
  const before = text.slice(0, fault);
  const line = before.split('\n').length;
  const place = `line ${line}, column ${fault - before.lastIndexOf('\n')}`;
  return fault === text.length ? `${place}: the text ends there` : place;
}
