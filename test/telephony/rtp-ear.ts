import { createSocket } from 'node:dgram';
import { fromG711, toMuLaw } from './g711.js';

/** Samples a second of everything here. */
export const telephoneRate = 8_000;
const packetMs = 20;
const samplesPerPacket = (telephoneRate * packetMs) / 1000;
const payloadTypes = { muLaw: 0, aLaw: 8, key: 101 } as const;
const keys = '0123456789*#';
/** A key is held for eight packets and let go in three, as telephones do. */
const [packetsOfKey, packetsOfKeyEnd] = [8, 3];

/** One call's audio, seen from the telephone. */
export interface Hearing {
  /** RTP packets that have come in. */
  readonly packets: number;
  /** Of the first packet whose sound was above silence; undefined while there was none. */
  readonly firstSoundAt: Date | undefined;
  /** Everything heard so far, 16 bit at 8 kHz, as it came in. */
  samples(): Int16Array;
  /** Seconds of sound whose root mean square per packet is above `level` (of 32,767; default 300). */
  soundSeconds(level?: number): number;
  /** Says this (16 bit at 8 kHz), paced as speech is; resolves when the last of it has been sent. */
  say(samples: Int16Array): Promise<void>;
  /** Presses a key (RFC 4733): `0` to `9`, `*` or `#`. */
  press(key: string): void;
  /** Keys that the other end has pressed so far. */
  keysHeard(): string;
}

/** The media of a carrier or caller: one UDP port that all its calls name in their SDP, each told apart by its other end. */
export interface Ear {
  readonly port: number;
  /**
   * A call begins whose other end sends and receives at this port of loopback: silence is sent to it from now on. What was
   * heard from that port before belonged to another call.
   */
  open(remotePort: number): Hearing;
  /** The call is over: nothing more is sent to its other end. */
  hush(remotePort: number): void;
  close(): Promise<void>;
}

const rmsOf = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));

const audibleLevel = 300;

class Line implements Hearing {
  packets = 0;
  firstSoundAt: Date | undefined;
  quiet = false;
  private readonly heard: Int16Array[] = [];
  /** Each key by the time that all packets of it carry. */
  private readonly keysByTime = new Map<number, string>();
  private words = new Int16Array(0);
  private said: (() => void)[] = [];
  private readonly source = Math.floor(Math.random() * 2 ** 32);
  private readonly pressed: { readonly event: number; readonly at: number }[] = [];
  private sequence = 0;

  hear(samples: Int16Array): void {
    this.packets += 1;
    this.heard.push(samples);
    if (this.firstSoundAt === undefined && rmsOf(samples) > audibleLevel) this.firstSoundAt = new Date();
  }

  hearKey(event: number, time: number): void {
    this.keysByTime.set(time, keys[event] ?? '?');
  }

  keysHeard(): string {
    return [...this.keysByTime.values()].join('');
  }

  samples(): Int16Array {
    const all = new Int16Array(this.heard.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const each of this.heard) {
      all.set(each, at);
      at += each.length;
    }
    return all;
  }

  soundSeconds(level = audibleLevel): number {
    const loud = this.heard.filter((samples) => rmsOf(samples) > level);
    return loud.reduce((sum, { length }) => sum + length, 0) / telephoneRate;
  }

  say(samples: Int16Array): Promise<void> {
    const words = new Int16Array(this.words.length + samples.length);
    words.set(this.words);
    words.set(samples, this.words.length);
    this.words = words;
    return new Promise((resolve) => this.said.push(resolve));
  }

  press(key: string): void {
    const event = keys.indexOf(key);
    if (event < 0) throw new Error(`There is no key ${key}.`);
    for (let at = 0; at < packetsOfKey + packetsOfKeyEnd; at += 1) this.pressed.push({ event, at });
  }

  nextPacket(): Buffer {
    const key = this.pressed.shift();
    if (key !== undefined) return this.keyPacket(key);
    const samples = new Int16Array(samplesPerPacket);
    samples.set(this.words.subarray(0, samplesPerPacket));
    this.words = this.words.slice(samplesPerPacket);
    if (this.words.length === 0) {
      for (const done of this.said) done();
      this.said = [];
    }
    return this.packet(payloadTypes.muLaw, this.sequence * samplesPerPacket, toMuLaw(samples));
  }

  /** All packets of one key carry the time of its first, and say how long it has been held. */
  private keyPacket({ event, at }: { readonly event: number; readonly at: number }): Buffer {
    const held = Math.min(at + 1, packetsOfKey);
    const payload = Buffer.alloc(4);
    payload.writeUInt8(event, 0);
    payload.writeUInt8((at >= packetsOfKey ? 0x80 : 0) | 10, 1);
    payload.writeUInt16BE(held * samplesPerPacket, 2);
    return this.packet(payloadTypes.key, (this.sequence - at) * samplesPerPacket, payload, at === 0);
  }

  private packet(payloadType: number, time: number, payload: Buffer, marked = false): Buffer {
    const header = Buffer.alloc(12);
    header.writeUInt8(0x80, 0);
    header.writeUInt8((marked ? 0x80 : 0) | payloadType, 1);
    header.writeUInt16BE(this.sequence & 0xffff, 2);
    header.writeUInt32BE(time >>> 0, 4);
    header.writeUInt32BE(this.source, 8);
    this.sequence += 1;
    return Buffer.concat([header, payload]);
  }
}

/** Where the payload of an RTP packet begins, and what it is; null where it is no RTP (RFC 3550, 5.1). */
function readRtp(
  packet: Buffer,
): { readonly payloadType: number; readonly time: number; readonly payload: Buffer } | null {
  if (packet.length < 12 || packet.readUInt8(0) >> 6 !== 2) return null;
  const contributors = packet.readUInt8(0) & 0x0f;
  let start = 12 + 4 * contributors;
  const hasExtension = (packet.readUInt8(0) & 0x10) !== 0;
  if (hasExtension && packet.length >= start + 4) start += 4 + 4 * packet.readUInt16BE(start + 2);
  const time = packet.readUInt32BE(4);
  return { payloadType: packet.readUInt8(1) & 0x7f, time, payload: packet.subarray(start) };
}

export async function openEar(): Promise<Ear> {
  const lines = new Map<number, Line>();
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  socket.on('message', (packet, { port }) => {
    const read = readRtp(packet);
    const isSound = read?.payloadType === payloadTypes.muLaw || read?.payloadType === payloadTypes.aLaw;
    if (isSound) lines.get(port)?.hear(fromG711(read.payload, read.payloadType));
    if (read?.payloadType === payloadTypes.key) lines.get(port)?.hearKey(read.payload.readUInt8(0), read.time);
  });
  socket.on('error', () => undefined); // the other end is gone: its call is over

  // A busy machine fires late: what is due by then is sent at once, so that speech keeps its pace.
  const startedMs = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (const due = Math.floor((performance.now() - startedMs) / packetMs); sent < due; sent += 1) {
      for (const [port, line] of lines) if (!line.quiet) socket.send(line.nextPacket(), port, '127.0.0.1');
    }
  }, packetMs);

  return {
    port: socket.address().port,
    open(remotePort) {
      const line = new Line();
      lines.set(remotePort, line);
      return line;
    },
    hush(remotePort) {
      const line = lines.get(remotePort);
      if (line !== undefined) line.quiet = true;
    },
    close() {
      clearInterval(timer);
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}
