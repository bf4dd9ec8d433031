import { DisconnectReason, Room, RoomEvent, type TextStreamReader, Track } from 'livekit-client';
import type { Line, Voice } from './api.js';

/** The topic on which LiveKit Agents tell what is said, as it is said. */
const transcriptionTopic = 'lk.transcription';

/** Reasons that the agent itself tells. */
const tellable = ['time_over', 'too_many', 'agent_failed', 'callee_silent'] as const;

/** Why the agent has ended the conversation (agent/conversation/leg.ts); `agent_lost`: it is gone without a word. */
export type EndReason = (typeof tellable)[number] | 'agent_lost' | 'hung_up';

/** The attribute of the visitor that says so (domain/agent/job.ts). */
const endedAttribute = 'outdial.ended';

const reasonOf = (told: string): EndReason => tellable.find((reason) => reason === told) ?? 'hung_up';

export interface VoiceListener {
  /** A line is new, or has grown. */
  readonly onLine: (line: Line & { readonly id: string }) => void;
  readonly onAgent: (isHere: boolean) => void;
  readonly onSpeaking: (isAgent: boolean) => void;
  /** The conversation is over. @param reason the agent's, if it gave one; null: the visitor hung up */
  readonly onEnd: (reason: EndReason | null) => void;
}

export interface VoiceCall {
  setMuted(muted: boolean): Promise<void>;
  end(): Promise<void>;
}

/**
 * Enters the room and opens the microphone: the agent is sent there by the token.
 *
 * @throws DOMException if there is no microphone or it may not be used
 */
export async function enterRoom({ url, token }: Voice, listener: VoiceListener): Promise<VoiceCall> {
  const room = new Room();
  const sounds: HTMLMediaElement[] = [];
  let reason: EndReason | null = null;

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
      if (!isAgent) return;
      reason ??= 'agent_lost';
      void room.disconnect();
    })
    .on(RoomEvent.ParticipantAttributesChanged, ({ [endedAttribute]: told }, { isLocal }) => {
      if (isLocal && told !== undefined) reason = reasonOf(told);
    })
    .on(RoomEvent.ActiveSpeakersChanged, (speakers) => listener.onSpeaking(speakers.some(({ isAgent }) => isAgent)))
    .on(RoomEvent.Disconnected, (why) => {
      for (const sound of sounds.splice(0)) sound.remove();
      listener.onEnd(why === DisconnectReason.CLIENT_INITIATED ? reason : (reason ?? 'agent_lost'));
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
