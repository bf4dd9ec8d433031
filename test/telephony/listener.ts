import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sound that was sent to be written down. */
interface Heard {
  readonly at: Date;
  readonly seconds: number;
  /** Root mean square of its loudest 20 ms, of 32,767. */
  readonly loudest: number;
}

/** A stand-in for speech-to-text, by the OpenAI protocol, that measures what it is given. What it understands is scripted. */
export interface Listener {
  /** Base URL, with the path `/v1`. */
  readonly url: string;
  readonly heard: readonly Heard[];
  /** What the next pieces of speech are understood as, in order; then `nothing in particular`. */
  readonly hears: string[];
  close(): Promise<void>;
}

/** Reads the WAV file (16 bit, as agents send it) inside the form of a request. */
function measure(form: Buffer): Heard {
  const start = form.indexOf('RIFF');
  const data = form.indexOf('data', start);
  const rate = form.readUInt32LE(start + 24);
  const channels = form.readUInt16LE(start + 22);
  const length = Math.min(form.readUInt32LE(data + 4), form.length - data - 8);
  const samples = Array.from({ length: Math.floor(length / 2) }, (_, index) => form.readInt16LE(data + 8 + 2 * index));
  const step = (rate * channels) / 50;
  const loudness = Array.from({ length: Math.ceil(samples.length / step) }, (_, index) => {
    const part = samples.slice(index * step, (index + 1) * step);
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  });
  return { at: new Date(), seconds: samples.length / rate / channels, loudest: Math.max(0, ...loudness) };
}

export async function startListener(): Promise<Listener> {
  const heard: Heard[] = [];
  const hears: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push(measure(Buffer.concat(chunks)));
      const text = hears.shift() ?? 'nothing in particular';
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    ...{ heard, hears },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
