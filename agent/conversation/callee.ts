import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import { legAttributes } from '../../domain/call/disconnect.js';

/** A participant that is no SIP leg has no status: it can be talked to as soon as it is there. */
const isAnswered = ({ attributes }: RemoteParticipant): boolean =>
  ['active', 'automation', undefined].includes(attributes[legAttributes.callStatus]);

/** The callee's participant in the room, from before it is there to after it has left. */
export interface Callee {
  /** Resolves when the phone has been answered; false if the call was over before. */
  readonly answered: Promise<boolean>;
  /** Aborted when the callee has left, or the room is gone. */
  readonly over: AbortSignal;
}

/** @param identity that of the leg this agent was sent for: a static room may hold others */
export function watchCallee(room: Room, identity: string): Callee {
  const left = new AbortController();
  const answered = new Promise<boolean>((resolve) => {
    const look = (): void => {
      const callee = room.remoteParticipants.get(identity);
      if (callee !== undefined && isAnswered(callee)) resolve(true);
    };
    room.on(RoomEvent.ParticipantConnected, look);
    room.on(RoomEvent.ParticipantAttributesChanged, look);
    left.signal.addEventListener('abort', () => resolve(false), { once: true });
    look();
  });
  room.on(RoomEvent.ParticipantDisconnected, (participant) => {
    if (participant.identity === identity) left.abort();
  });
  room.on(RoomEvent.Disconnected, () => left.abort());
  return { answered, over: left.signal };
}
