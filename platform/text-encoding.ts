import { isUtf8 } from 'node:buffer';

const utf8Bom = Buffer.from([0xef, 0xbb, 0xbf]);

/** How far bytes are searched for signs of UTF-16 without a byte order mark. */
const probeBytes = 4096;

/** What Windows-1252 has at 0x80 to 0x9f, where Latin-1 has control characters; its five gaps stay those. */
const windows1252Block = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** If Latin text is written in UTF-16, every second byte is NUL: the odd ones in little endian, the even ones in big. */
function utf16WithoutBom(bytes: Buffer): Encoding | null {
  const probe = bytes.subarray(0, probeBytes);
  const nuls = [0, 0];
  for (let index = 0; index < probe.length; index += 1) {
    if (probe[index] === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = nuls;
  const half = probe.length / 2;
  if (odd > half * 0.4 && even < odd / 4) return 'utf-16le';
  if (even > half * 0.4 && odd < even / 4) return 'utf-16be';
  return null;
}

function encodingOf(bytes: Buffer): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.subarray(0, 3).equals(utf8Bom)) return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  return utf16WithoutBom(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

/** Node 20's own decoder reads windows-1252 as Latin-1. */
const fromWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\x80-\x9f]/g, (byte) => windows1252Block[byte.charCodeAt(0) - 0x80] ?? byte);

function decoded(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return bytes;
  return Buffer.from(encoding === 'windows-1252' ? fromWindows1252(bytes) : new TextDecoder(encoding).decode(bytes));
}

/**
 * Text as UTF-8 without byte order mark and without NULs, from UTF-8, UTF-16 or Windows-1252.
 * What is not valid UTF-8 is Windows-1252, which has a character for every byte and so never fails.
 */
export function toUtf8(bytes: Buffer): Buffer {
  const encoding = encodingOf(bytes);
  const withoutBom = bytes.subarray(0, 3).equals(utf8Bom) ? bytes.subarray(3) : bytes;
  const utf8 = decoded(withoutBom, encoding);
  return utf8.includes(0) ? Buffer.from(utf8.filter((byte) => byte !== 0)) : utf8;
}
