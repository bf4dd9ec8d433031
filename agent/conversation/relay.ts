import {
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type Room,
  RoomEvent,
  type Track,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';

const sampleRate = 48_000;
const frameMs = 20;
/** Sound that waits longer than this is late: both sides would talk past each other. */
const queueMs = 200;

interface End {
  readonly room: Room;
  /** Of the participant who is heard in the other room. */
  readonly identity: string;
}

/** Carries what one participant says into another room. @returns ends it */
async function carry(from: End, to: Room): Promise<() => Promise<void>> {
  const source = new AudioSource(sampleRate, 1, queueMs);
  const track = LocalAudioTrack.createAudioTrack('relay', source);
  const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
  await to.localParticipant?.publishTrack(track, options);
  const followed = new Set<Track>();
  const readers = new Set<ReadableStreamDefaultReader<Parameters<AudioSource['captureFrame']>[0]>>();
  let isOver = false;

  async function follow(heard: Track | undefined): Promise<void> {
    if (heard?.kind !== TrackKind.KIND_AUDIO || followed.has(heard) || isOver) return;
    followed.add(heard);
    const reader = new AudioStream(heard, { sampleRate, numChannels: 1, frameSizeMs: frameMs }).getReader();
    readers.add(reader);
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await source.captureFrame(next.value).catch(() => undefined);
    }
    readers.delete(reader);
  }
  // The library tells of tracks before it lists them, or after: all are looked at each time.
  const look = (): void => {
    for (const { track: heard } of from.room.remoteParticipants.get(from.identity)?.trackPublications.values() ?? []) {
      void follow(heard);
    }
  };
  from.room.on(RoomEvent.TrackSubscribed, look);
  look();
  return async () => {
    isOver = true;
    from.room.off(RoomEvent.TrackSubscribed, look);
    await Promise.allSettled([...readers].map((reader) => reader.cancel()));
    await source.close().catch(() => undefined);
  };
}

/** Lets two participants of two rooms hear each other, and nobody else. @returns ends it */
export async function joinTwo(one: End, other: End): Promise<() => Promise<void>> {
  const ends = await Promise.all([carry(one, other.room), carry(other, one.room)]);
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}
