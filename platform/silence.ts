const silenceSeconds = 0.5;
const samplesPerSecond = 16_000;

/** Half a second of silence as a WAV file: RIFF header, then samples of 16 bits. */
export function silence(): Uint8Array<ArrayBuffer> {
  const bytesPerSample = 2;
  const bytes = silenceSeconds * samplesPerSecond * bytesPerSample;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond * bytesPerSample, 28);
  header.writeUInt16LE(bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return Uint8Array.from(Buffer.concat([header, Buffer.alloc(bytes)]));
}
