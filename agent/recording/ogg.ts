/** Ogg counts Opus by samples of 48 kHz, whatever it was made of (RFC 7845, 4). */
const granulesPerMs = 48;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value >>> 0;
});

function checksum(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ (table[((value >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return value;
}

/** Lengths of the segments of a packet: 255 means that it goes on. */
const lacing = (packet: Uint8Array): number[] => [
  ...new Array<number>(Math.floor(packet.length / 255)).fill(255),
  packet.length % 255,
];

interface Page {
  /** From 0. */
  readonly sequence: number;
  /** Samples of 48 kHz up to the end of the page. */
  readonly granule: number;
  readonly packets: readonly Uint8Array[];
  readonly isLast?: boolean;
}

/** One page of a stream (RFC 3533, 6). Its packets begin and end in it: at most 51, which always fit. */
function page(serial: number, { sequence, granule, packets, isLast = false }: Page): Buffer {
  const segments = packets.flatMap(lacing);
  const head = Buffer.alloc(27 + segments.length);
  head.write('OggS');
  head.writeUInt8((sequence === 0 ? 2 : 0) | (isLast ? 4 : 0), 5);
  head.writeBigUInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(serial, 14);
  head.writeUInt32LE(sequence, 18);
  head.writeUInt8(segments.length, 26);
  head.set(segments, 27);
  const whole = Buffer.concat([head, ...packets]);
  whole.writeUInt32LE(checksum(whole), 22);
  return whole;
}

/** The fields that all pages of one recording share. */
export interface OggStream {
  /** The two pages that come first, numbers 0 and 1. @param rate of the sound before it was encoded */
  head(rate: number): readonly [Buffer, Buffer];
  /**
   * @param sequence from 2
   * @param endsAtMs length of the recording up to the end of this page
   */
  sound(sequence: number, packets: readonly Uint8Array[], endsAtMs: number, isLast: boolean): Buffer;
}

/**
 * Opus of two channels in Ogg.
 *
 * @param serial names the stream; 32 bits
 * @param delayMs by which the encoder is late
 */
export function oggStream(serial: number, delayMs: number): OggStream {
  const preSkip = Math.round(delayMs * granulesPerMs);
  return {
    head(rate) {
      const opusHead = Buffer.alloc(19);
      opusHead.write('OpusHead');
      opusHead.writeUInt8(1, 8);
      opusHead.writeUInt8(2, 9);
      opusHead.writeUInt16LE(preSkip, 10);
      opusHead.writeUInt32LE(rate, 12);
      const vendor = Buffer.from('outdial');
      const opusTags = Buffer.alloc(16 + vendor.length);
      opusTags.write('OpusTags');
      opusTags.writeUInt32LE(vendor.length, 8);
      vendor.copy(opusTags, 12);
      return [
        page(serial, { sequence: 0, granule: 0, packets: [opusHead] }),
        page(serial, { sequence: 1, granule: 0, packets: [opusTags] }),
      ];
    },
    sound: (sequence, packets, endsAtMs, isLast) =>
      page(serial, { sequence, granule: Math.round(endsAtMs * granulesPerMs), packets, isLast }),
  };
}
