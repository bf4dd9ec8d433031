import { Room, RoomEvent, type TextStreamReader, Track } from 'livekit-client';
import type { Line, Voice } from './api.js';

/** The topic on which LiveKit Agents tell what is said, as it is said. */
const transcriptionTopic = 'lk.transcription';

export interface VoiceListener {
  /** A line is new, or has grown. */
  readonly onLine: (line: Line & { readonly id: string }) => void;
  readonly onAgent: (isHere: boolean) => void;
  readonly onSpeaking: (isAgent: boolean) => void;
  /** The conversation is over, whoever ended it. */
  readonly onEnd: () => void;
}

export interface VoiceCall {
  setMuted(muted: boolean): Promise<void>;
  end(): Promise<void>;
}

/**
 * Enters the room and opens the microphone: the agent is sent there by the token.
 *
 * @throws DOMException where there is no microphone or it may not be used
 */
export async function enterRoom({ url, token }: Voice, listener: VoiceListener): Promise<VoiceCall> {
  const room = new Room();
  const sounds: HTMLMediaElement[] = [];

  const write = async (reader: TextStreamReader, identity: string) => {
    const id = reader.info.attributes?.['lk.segment_id'] ?? reader.info.id;
    const speaker = identity === room.localParticipant.identity ? 'callee' : 'agent';
    let text = '';
    for await (const part of reader) {
      text += part;
      if (text.trim() !== '') listener.onLine({ id: `${speaker} ${id}`, speaker, text });
    }
  };
  room.registerTextStreamHandler(transcriptionTopic, (reader, { identity }) => {
    // A line that breaks off stays as far as it came.
    void write(reader, identity).catch(() => undefined);
  });
  room
    .on(RoomEvent.TrackSubscribed, (track) => {
      if (track.kind === Track.Kind.Audio) sounds.push(document.body.appendChild(track.attach()));
    })
    .on(RoomEvent.ParticipantConnected, ({ isAgent }) => {
      if (isAgent) listener.onAgent(true);
    })
    .on(RoomEvent.ParticipantDisconnected, ({ isAgent }) => {
      if (isAgent) void room.disconnect();
    })
    .on(RoomEvent.ActiveSpeakersChanged, (speakers) => listener.onSpeaking(speakers.some(({ isAgent }) => isAgent)))
    .on(RoomEvent.Disconnected, () => {
      for (const sound of sounds.splice(0)) sound.remove();
      listener.onEnd();
    });

  await room.connect(url, token);
  try {
    await room.localParticipant.setMicrophoneEnabled(true);
  } catch (error) {
    await room.disconnect();
    throw error;
  }
  listener.onAgent([...room.remoteParticipants.values()].some(({ isAgent }) => isAgent));
  return {
    async setMuted(muted) {
      await room.localParticipant.setMicrophoneEnabled(!muted);
    },
    end: () => room.disconnect(),
  };
}
