import { setTimeout as pause } from 'node:timers/promises';
import { AudioStream, type Room, RoomEvent, type Track, TrackKind } from '@livekit/rtc-node';
import { Application, createEncoder, EncoderCtl, type OpusEncoderHandle, Signal } from 'libopus-wasm';
import type { Db } from '../../db/client.js';
import {
  beginRecording,
  type RecordingAgent,
  type RecordingPlace,
  storeRecording,
} from '../../db/queries/calls/recordings.js';
import type { Logger } from '../../platform/logger.js';
import { watchCallee } from '../conversation/callee.js';
import { createMix, frameMs, type Mix, recordingRate, type Side } from './mix.js';
import { createPlacer, createWaiting } from './placer.js';
import { oggStream, type OggStream } from './ogg.js';
import { type PageStore, storePages } from './store.js';

/** Below 32 kbit/s the channels would be drawn together. Only the first 20 ms of a sound are faintly in the other one. */
const bitsPerSecond = 32_000;
const framesPerPage = 50;
/** Time between pieces: an agent that is killed loses at most the piece in progress and those under way. */
const everyMs = 2_000;
/** Sound comes in late, by as much as a network is and the placer holds. */
const latenessMs = 900;
/** Sound of before the answer was known: ten seconds of both sides, as much as the mix takes. */
const mostWaiting = 1_000;
/** For what is on its way when the call is over. */
const closeMs = 5_000;
const againMs = 1_000;

async function openEncoder(): Promise<OpusEncoderHandle> {
  const encoder = await createEncoder({
    channels: 2,
    sampleRate: recordingRate,
    frameSize: (recordingRate * frameMs) / 1_000,
    application: Application.Voip,
    signal: Signal.Voice,
    bitrate: bitsPerSecond,
    complexity: 5,
  });
  encoder.encoderCtl(EncoderCtl.SetForceChannels, 2);
  return encoder;
}

interface Ear {
  /** A side has a new track. */
  readonly begin: (side: Side) => void;
  readonly hear: (side: Side, samples: Int16Array) => void;
}

/** Hears the callee, and what the agent sends, whatever tracks they use in turn. @returns ends it */
function listen(room: Room, identity: string, { begin, hear }: Ear): () => void {
  const followed = new Set<Track>();
  const readers = new Set<ReadableStreamDefaultReader<{ readonly data: Int16Array }>>();

  async function follow(track: Track | undefined, side: Side): Promise<void> {
    if (track?.kind !== TrackKind.KIND_AUDIO || followed.has(track)) return;
    followed.add(track);
    begin(side);
    const options = { sampleRate: recordingRate, numChannels: 1, frameSizeMs: frameMs };
    const reader = new AudioStream(track, options).getReader();
    readers.add(reader);
    for (let next = await reader.read(); !next.done; next = await reader.read()) hear(side, next.value.data);
    readers.delete(reader);
  }
  // The library tells of tracks before it lists them, or after: all are looked at each time.
  const look = (): void => {
    const sides = [
      ['callee', room.remoteParticipants.get(identity)],
      ['agent', room.localParticipant],
    ] as const;
    for (const [side, participant] of sides) {
      for (const { track } of participant?.trackPublications.values() ?? []) void follow(track, side);
    }
  };
  const events = [RoomEvent.TrackSubscribed, RoomEvent.LocalTrackPublished, RoomEvent.LocalTrackSubscribed];
  for (const event of events) room.on(event, look);
  look();
  return () => {
    for (const event of events) room.off(event, look);
    for (const reader of readers) void reader.cancel().catch(() => undefined);
  };
}

/** Encodes what a mix holds, a page for each second of it. @returns does so, up to an instant of the recording */
function createWriter(
  mix: Mix,
  encoder: OpusEncoderHandle,
  ogg: OggStream,
  sequence: number,
  store: PageStore,
): (untilMs: number, isLast: boolean) => void {
  let next = sequence;
  if (next === 0) for (const bytes of ogg.head(recordingRate)) store.add({ sequence: next++, frames: 0, bytes });
  return (untilMs, isLast) => {
    for (let isOver = false; !isOver;) {
      const packets = mix.take(untilMs, framesPerPage, isLast).map((frame) => encoder.encode(frame));
      isOver = packets.length < framesPerPage;
      if (packets.length === 0 && !(isLast && isOver)) return;
      const bytes = ogg.sound(next, packets, mix.frames * frameMs, isLast && isOver);
      store.add({ sequence: next++, frames: mix.frames, bytes });
    }
  };
}

/** The database may be away when the phone is answered; what is said meanwhile is kept as long as the mix can. */
async function untilBegun(
  begin: () => Promise<RecordingPlace | null>,
  stopped: AbortSignal,
  logger: Logger,
): Promise<RecordingPlace | null> {
  while (!stopped.aborted) {
    try {
      return await begin();
    } catch (error) {
      logger.warn({ err: error }, 'the recording cannot begin yet; trying again');
      await pause(againMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
  return null;
}

/** The stream of a call is named after it, so that an agent that takes over goes on with it. */
const serialOf = (callId: string): number => Number.parseInt(callId.replaceAll('-', '').slice(-8), 16);

export interface RecordedLeg {
  readonly room: Room;
  /** Of the callee's participant. */
  readonly identity: string;
  readonly leg: RecordingAgent;
  /** Null: the call was over before. An agent that died may have recorded the leg since. */
  readonly answeredAt: Promise<Date | null>;
  readonly db: Db;
  readonly logger: Logger;
}

/**
 * Records both sides of a leg: callee left, agent right, as they are sent, from the answer until the callee has left. It
 * listens while the phone rings, so that nothing is missing after the answer; where the agent was late there is silence. It is
 * stored while it grows, so that all but the last three seconds outlives the process.
 *
 * @returns resolves when it is over and stored. Never rejects: nothing that goes wrong with it holds the call up
 */
export async function recordLeg({ room, identity, leg, answeredAt, db, logger }: RecordedLeg): Promise<void> {
  const callee = watchCallee(room, identity);
  const deletion = new AbortController();
  const over = AbortSignal.any([callee.over, deletion.signal]);

  const waiting = createWaiting(mostWaiting);
  const placer = createPlacer(waiting);

  async function record(encoder: OpusEncoderHandle, answered: Date): Promise<void> {
    const place = await untilBegun(() => beginRecording(db, leg, answered), over, logger);
    if (place === null) {
      logger.warn('the call is not recorded');
      return;
    }
    const startedMs = place.startedAt.getTime();
    const passedMs = (): number => Date.now() - startedMs;
    const mix = createMix(place.frames);
    const ogg = oggStream(serialOf(leg.callId), (encoder.getLookahead() * 1_000) / recordingRate);
    const deleted = (): void => {
      logger.info('the recording was deleted while it was made, or another agent goes on with it');
      deletion.abort();
    };
    const store = storePages((pages) => storeRecording(db, leg, pages), deleted, logger);
    const write = createWriter(mix, encoder, ogg, place.sequence, store);
    const writeDue = (): void => write(passedMs() - latenessMs, false);
    // Time without an agent is silence: after the answer, or until another one takes over. Then comes what was heard.
    write(Math.min(passedMs() - latenessMs, (waiting.fromMs ?? Infinity) - startedMs), false);
    waiting.release({
      begin: (side) => mix.begin(side),
      hear: (side, samples, endsAtMs) => mix.hear(side, samples, endsAtMs - startedMs),
    });
    writeDue();
    const timer = setInterval(writeDue, everyMs);
    await ended(over);
    clearInterval(timer);
    placer.flush();
    write(passedMs(), true);
    await store.close(closeMs);
  }

  const endListening = listen(room, identity, {
    begin: (side) => placer.begin(side),
    hear: (side, samples) => placer.hear(side, samples, Date.now()),
  });
  try {
    // Made ready while it rings.
    const opening = openEncoder();
    opening.catch(() => undefined);
    const answered = await answeredAt;
    if (answered === null) return;
    const encoder = await opening;
    await record(encoder, answered);
    encoder.free();
  } catch (error) {
    logger.error({ err: error }, 'the recording failed');
  } finally {
    endListening();
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
