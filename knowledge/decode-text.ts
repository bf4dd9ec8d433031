import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { toUtf8 } from '../platform/text-encoding.js';

/** Bytes within which a page of HTML must declare its encoding. */
const declaredWithin = 1024;
const declared = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})/i;

/** Node's decoder for these is not the one that browsers have; `toUtf8` reads them as browsers do. */
const latin = new Set(['iso-8859-1', 'latin1', 'us-ascii', 'ascii', 'windows-1252', 'cp1252']);

function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

/**
 * Text from bytes: as they are labelled, else as they look.
 *
 * @param label name of the encoding, as a Content-Type or a page has it; unknown ones are ignored
 */
export function decodeText(bytes: Buffer, label?: string): string {
  const name = label?.toLowerCase();
  const decoder = name === undefined || latin.has(name) ? null : decoderFor(name);
  return decoder === null ? toUtf8(bytes).toString('utf8') : decoder.decode(bytes);
}

/** As `decodeText`, for HTML that says in itself how it is encoded. */
export function decodeHtml(bytes: Buffer): string {
  // Pages that were converted to UTF-8 often still name their old encoding.
  if (isUtf8(bytes)) return decodeText(bytes);
  return decodeText(bytes, declared.exec(bytes.subarray(0, declaredWithin).toString('latin1'))?.[1]);
}
