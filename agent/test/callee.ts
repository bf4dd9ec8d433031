import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import type { LiveKitServer } from '../../test/setup/livekit-server.js';
import { voiceLike } from './voice-like.js';

export const sampleRate = 48_000;

/** A person at a telephone, as LiveKit SIP would bring them into the room. */
export interface TestCallee {
  /** The phone is picked up. */
  answer(): Promise<void>;
  /** Seconds of sound above silence that have reached the ear. */
  heardSeconds(): number;
  /** Identities of those of whom some of it came. */
  heardOf(): string[];
  /** Says something of this length, and is silent again: for so long at least. */
  speak(seconds: number, thenSilentSeconds?: number): Promise<void>;
  /** Says these samples, at `sampleRate`. @returns when the last of them was sent, in milliseconds since 1970 */
  say(samples: Int16Array): Promise<number>;
  /** When the first sound above silence after an instant has reached the ear, in milliseconds since 1970; undefined: none yet. */
  heardAfter(instantMs: number): number | undefined;
  /** Presses keys, one after another. */
  press(keys: string): Promise<void>;
  /** Keys that the other side has pressed so far. */
  keysHeard(): string;
  /** Identities of the others whom they can see in the room. */
  sees(): string[];
  /** Data that has reached them. */
  dataHeard(): string[];
  /** Resolves when the leg is over. */
  readonly gone: Promise<void>;
  isGone(): boolean;
  hangUp(): Promise<void>;
}

export async function enterAsCallee(
  { url, apiKey, apiSecret }: LiveKitServer,
  room: string,
  identity: string,
  attributes: Record<string, string> = { 'sip.callStatus': 'ringing' },
): Promise<TestCallee> {
  const token = new AccessToken(apiKey, apiSecret, { identity, attributes });
  token.addGrant({ room, roomJoin: true });
  const rooms = new RoomServiceClient(url, apiKey, apiSecret);
  const joined = new Room();
  const heard = new Map<string, number>();
  const heardAtMs: number[] = [];
  const isOver = (): boolean => over;
  let over = false;
  const gone = new Promise<void>((resolve) => {
    joined.on(RoomEvent.Disconnected, () => {
      over = true;
      resolve();
    });
  });
  joined.on(RoomEvent.TrackSubscribed, (track, _publication, { identity: speaker }) => {
    if (track.kind !== TrackKind.KIND_AUDIO) return;
    void (async () => {
      for await (const frame of new AudioStream(track, { sampleRate, numChannels: 1 })) {
        const power = frame.data.reduce((sum, sample) => sum + sample * sample, 0) / frame.data.length;
        if (Math.sqrt(power) <= 500) continue;
        heardAtMs.push(Date.now());
        heard.set(speaker, (heard.get(speaker) ?? 0) + frame.samplesPerChannel / sampleRate);
      }
    })();
  });
  let keys = '';
  const data: string[] = [];
  joined.on(RoomEvent.DataReceived, (payload: Uint8Array) => data.push(Buffer.from(payload).toString('utf8')));
  joined.on(RoomEvent.DtmfReceived, (_code, digit) => {
    keys += digit;
  });
  await joined.connect(url.replace('http', 'ws'), await token.toJwt(), { autoSubscribe: true, dynacast: false });
  const source = new AudioSource(sampleRate, 1);
  const microphone = LocalAudioTrack.createAudioTrack('telephone', source);
  const publish = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  await joined.localParticipant?.publishTrack(microphone, publish);

  const frameSize = sampleRate / 50;
  let words: Int16Array = new Int16Array(0);
  let said: (() => void) | undefined;
  let sent: ((atMs: number) => void) | undefined;
  // A telephone sends sound all the time, mostly next to nothing.
  void (async () => {
    while (!isOver()) {
      const data = new Int16Array(frameSize).map(() => Math.round((Math.random() - 0.5) * 20));
      if (words.length > 0) {
        data.set(words.subarray(0, frameSize));
        words = words.subarray(frameSize);
        if (words.length === 0) said?.();
      }
      await source.captureFrame(new AudioFrame(data, sampleRate, 1, frameSize)).catch(() => undefined);
      if (words.length === 0) {
        // What is captured waits in a queue until it is sent.
        sent?.(Date.now() + source.queuedDuration);
        sent = undefined;
      }
    }
  })();

  return {
    answer: async () => {
      await rooms.updateParticipant(room, identity, { attributes: { 'sip.callStatus': 'active' } });
    },
    heardSeconds: () => [...heard.values()].reduce((sum, seconds) => sum + seconds, 0),
    heardOf: () => [...heard.keys()],
    speak: (seconds, thenSilentSeconds = 0) =>
      new Promise((resolve) => {
        said = resolve;
        words = new Int16Array((seconds + thenSilentSeconds) * sampleRate);
        words.set(voiceLike(seconds, sampleRate));
      }),
    say: (samples) =>
      new Promise((resolve) => {
        words = samples;
        sent = resolve;
      }),
    heardAfter: (instantMs) => heardAtMs.find((atMs) => atMs > instantMs),
    async press(pressed) {
      for (const key of pressed) await joined.localParticipant?.publishDtmf('0123456789*#'.indexOf(key), key);
    },
    keysHeard: () => keys,
    sees: () => [...joined.remoteParticipants.keys()],
    dataHeard: () => [...data],
    gone,
    isGone: isOver,
    async hangUp() {
      over = true;
      await joined.disconnect();
    },
  };
}
