/** G.711 as telephones speak it (ITU-T G.711): eight bits a sample, 8,000 samples a second. */

const bias = 0x84;
const loudest = 32_635;

function muLawOf(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(loudest, Math.abs(sample)) + bias;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function linearOfMuLaw(byte: number): number {
  const code = ~byte & 0xff;
  const magnitude = ((((code & 0x0f) << 3) + bias) << ((code >> 4) & 0x07)) - bias;
  return (code & 0x80) === 0 ? magnitude : -magnitude;
}

function linearOfALaw(byte: number): number {
  const code = byte ^ 0x55;
  const exponent = (code >> 4) & 0x07;
  const mantissa = ((code & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (code & 0x80) === 0 ? -magnitude : magnitude;
}

const fromMuLaw = Int16Array.from({ length: 256 }, (_, byte) => linearOfMuLaw(byte));
const fromALaw = Int16Array.from({ length: 256 }, (_, byte) => linearOfALaw(byte));

export const toMuLaw = (samples: Int16Array): Buffer => Buffer.from(Array.from(samples, muLawOf));

/** @param payloadType 0 is µ-law, 8 is A-law (RFC 3551) */
export function fromG711(payload: Uint8Array, payloadType: number): Int16Array {
  const table = payloadType === 8 ? fromALaw : fromMuLaw;
  return Int16Array.from(payload, (byte) => table[byte] ?? 0);
}
