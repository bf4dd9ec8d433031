import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import { readWhisper, type Whisper, whisperTopic } from '../../domain/agent/whisper.js';
import type { Logger } from '../../platform/logger.js';

/**
 * Hears what supervisors tell the agent through the API. Only the service itself can say it: data that a participant of the room
 * sends has a sender.
 */
export function listenForWhispers(room: Room, heard: (whisper: Whisper) => Promise<void>, logger: Logger): void {
  room.on(
    RoomEvent.DataReceived,
    (payload: Uint8Array, sender?: RemoteParticipant, _kind?: unknown, topic?: string) => {
      if (topic !== whisperTopic || sender !== undefined) return;
      const whisper = readWhisper(Buffer.from(payload).toString('utf8'));
      if (whisper === null) return;
      logger.info({ characters: whisper.text.length, now: whisper.now }, 'a supervisor tells the agent something');
      heard(whisper).catch((error: unknown) =>
        logger.warn({ err: error }, 'the agent could not be told what a supervisor said'),
      );
    },
  );
}
