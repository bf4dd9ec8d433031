import { Room, RoomEvent, Track } from 'livekit-client';
import type { Schemas } from '../api/client.js';

export interface RoomListener {
  /** Whether the browser keeps the sound back until somebody presses a button. */
  readonly onHeldBack: (isHeldBack: boolean) => void;
  /** The room is closed, or cannot be reached any more. It is not called if the listener has left. */
  readonly onEnd: () => void;
}

export interface Listening {
  /** Has the browser play what it has held back; to be called when a button is pressed. */
  play(): Promise<void>;
  leave(): Promise<void>;
}

/**
 * Takes a listener's place in the room of a call and plays what is said there. Nothing is sent: neither sound nor picture.
 *
 * @throws if the room cannot be entered
 */
export async function listenIn(
  { url, token }: Pick<Schemas['ListeningPlace'], 'url' | 'token'>,
  { onHeldBack, onEnd }: RoomListener,
): Promise<Listening> {
  const room = new Room();
  const sounds = new Set<HTMLMediaElement>();
  let hasLeft = false;
  room
    .on(RoomEvent.TrackSubscribed, (track) => {
      if (track.kind === Track.Kind.Audio) sounds.add(document.body.appendChild(track.attach()));
    })
    .on(RoomEvent.TrackUnsubscribed, (track) => {
      for (const sound of track.detach()) {
        sound.remove();
        sounds.delete(sound);
      }
    })
    .on(RoomEvent.AudioPlaybackStatusChanged, () => onHeldBack(!room.canPlaybackAudio))
    .on(RoomEvent.Disconnected, () => {
      for (const sound of sounds) sound.remove();
      sounds.clear();
      if (!hasLeft) onEnd();
    });
  await room.connect(url, token);
  return {
    play: () => room.startAudio(),
    async leave() {
      hasLeft = true;
      await room.disconnect();
    },
  };
}
