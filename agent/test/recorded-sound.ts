import { createDecoder } from 'libopus-wasm';

/** What a player makes of a recording: 16 kHz, both channels. */
export interface RecordedSound {
  readonly seconds: number;
  /** Loudness of a stretch, as the root of its mean square, of 32,768. */
  loudness(side: 'callee' | 'agent', fromSeconds: number, toSeconds: number): number;
  /** Seconds above silence of the whole or of a stretch, by tenths. */
  loudSeconds(side: 'callee' | 'agent', fromSeconds?: number, toSeconds?: number): number;
  /** Second at which the first sound above silence begins, by hundredths. */
  firstSound(side: 'callee' | 'agent'): number;
}

const rate = 16_000;

function checksum(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  }
  return value >>> 0;
}

/** Packets of an Ogg stream, and how long it says to be. @throws where it breaks RFC 3533 or RFC 7845 */
function packetsOf(bytes: Buffer): { packets: Buffer[]; samples: number; isEnded: boolean } {
  const packets: Buffer[] = [];
  let [samples, isEnded, serial] = [0, false, -1];
  for (let at = 0, sequence = 0; at < bytes.length; sequence++) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS') throw new Error(`no page at ${at}`);
    const segments = bytes.subarray(at + 27, at + 27 + (bytes[at + 26] ?? 0));
    const begin = at + 27 + segments.length;
    const end = begin + segments.reduce((sum, length) => sum + length, 0);
    const page = Buffer.from(bytes.subarray(at, end));
    const sum = page.readUInt32LE(22);
    page.writeUInt32LE(0, 22);
    if (checksum(page) !== sum) throw new Error(`page ${sequence} is damaged`);
    if (page.readUInt32LE(18) !== sequence)
      throw new Error(`page ${sequence} says that it is ${page.readUInt32LE(18)}`);
    if (serial === -1) serial = page.readUInt32LE(14);
    if (page.readUInt32LE(14) !== serial || isEnded) throw new Error(`page ${sequence} is of another stream`);
    if ((page.readUInt8(5) & 2) !== (sequence === 0 ? 2 : 0)) throw new Error(`page ${sequence} begins a stream`);
    isEnded = (page.readUInt8(5) & 4) !== 0;
    samples = Number(page.readBigUInt64LE(6));
    let [from, length] = [begin, 0];
    for (const segment of segments) {
      length += segment;
      if (segment === 255) continue;
      packets.push(Buffer.from(bytes.subarray(from, from + length)));
      from += length;
      length = 0;
    }
    at = end;
  }
  return { packets, samples, isEnded };
}

/** Plays a recording. @throws if a player could not */
export async function play(bytes: Buffer): Promise<RecordedSound & { readonly isEnded: boolean }> {
  const { packets, samples, isEnded } = packetsOf(bytes);
  const [head, tags, ...sound] = packets;
  if (head?.toString('latin1', 0, 8) !== 'OpusHead' || head.readUInt8(9) !== 2) throw new Error('no Opus in stereo');
  if (tags?.toString('latin1', 0, 8) !== 'OpusTags') throw new Error('no tags');
  const decoder = await createDecoder({ channels: 2, sampleRate: rate });
  const decoded = sound.map((packet) => decoder.decode(packet).slice());
  decoder.free();
  const skipped = head.readUInt16LE(10) / 3;
  const length = decoded.reduce((sum, frame) => sum + frame.length / 2, 0);
  if (samples / 3 !== length) throw new Error(`it says ${samples / 3} samples and has ${length}`);
  const channels = { callee: new Int16Array(length), agent: new Int16Array(length) };
  let at = 0;
  for (const frame of decoded) {
    for (let index = 0; index < frame.length; index += 2, at++) {
      channels.callee[at] = frame[index] ?? 0;
      channels.agent[at] = frame[index + 1] ?? 0;
    }
  }
  const loudness: RecordedSound['loudness'] = (side, from, to) => {
    const stretch = channels[side].subarray(skipped + Math.round(from * rate), skipped + Math.round(to * rate));
    return Math.sqrt(stretch.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, stretch.length));
  };
  const seconds = (length - skipped) / rate;
  return {
    seconds,
    isEnded,
    loudness,
    firstSound(side) {
      for (let at = 0; at < seconds; at += 0.01) if (loudness(side, at, at + 0.01) > 300) return at;
      return NaN;
    },
    loudSeconds(side, from = 0, to = seconds) {
      let loud = 0;
      for (let tenth = Math.ceil(from * 10); tenth < Math.floor(to * 10); tenth++) {
        if (loudness(side, tenth / 10, (tenth + 1) / 10) > 300) loud += 1;
      }
      return loud / 10;
    },
  };
}
