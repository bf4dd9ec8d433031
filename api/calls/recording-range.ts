import type { RecordingPage } from '../../db/queries/calls/recordings.js';

/** A piece of a recording: bytes, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The piece that a Range header asks for (RFC 9110, 14.2): one range of bytes. Null if it asks for anything else, or for
 * nothing that there is: then the whole is sent, which is always allowed.
 */
export function rangeAsked(header: string | undefined, size: number): ByteRange | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const wanted = Math.min(Number(to), size);
    return wanted === 0 ? null : { first: size - wanted, last: size - 1 };
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  return first > last ? null : { first, last };
}

/** The pages that hold a range, and how many bytes of the first of them come before it. */
export function pagesOf(
  pages: readonly RecordingPage[],
  { first, last }: ByteRange,
): { readonly sequence: number; readonly pages: number; readonly skip: number } {
  let [start, from, count, skip] = [0, 0, 0, 0];
  for (const { sequence, size } of pages) {
    const end = start + size;
    if (end > first && start <= last) {
      if (count === 0) [from, skip] = [sequence, first - start];
      count += 1;
    }
    start = end;
  }
  return { sequence: from, pages: count, skip };
}

/** Cuts a stream of bytes to a range of it. */
export async function* cut(bytes: AsyncIterable<Buffer>, skip: number, length: number): AsyncGenerator<Buffer> {
  let [ahead, left] = [skip, length];
  for await (const piece of bytes) {
    const wanted = piece.subarray(ahead, ahead + left);
    ahead = Math.max(0, ahead - piece.length);
    left -= wanted.length;
    if (wanted.length > 0) yield wanted;
    if (left === 0) return;
  }
}
