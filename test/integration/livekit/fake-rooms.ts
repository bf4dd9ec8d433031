import { randomUUID } from 'node:crypto';
import { left } from './courses.js';
import { type Answer, type LeftEvent } from './twirp.js';

export interface Participant {
  readonly identity: string;
  readonly kind: 'SIP' | 'AGENT';
  attributes: Record<string, string>;
  /** Ends the leg of a callee; the request that dialed it is answered if it still waits. */
  readonly end?: (reason: number) => void;
}

/** What a request to the room service names. */
export interface RoomRequest {
  readonly room?: string;
  readonly identity?: string;
  readonly name?: unknown;
  readonly attributes?: unknown;
}

const notFound: Answer = { error: { status: 404, code: 'not_found', msg: 'participant does not exist' } };
const noServer: Answer = { error: { status: 503, code: 'unavailable', msg: 'no response from servers' } };

/** The rooms of a fake LiveKit, who is in them, and its room service. */
export class FakeRooms {
  private rooms = new Map<string, Map<string, Participant>>();
  private readonly listeners = new Set<(event: LeftEvent) => void>();
  /** The participants that the last list of a room named. */
  private readonly told = new Map<string, readonly string[]>();
  /** Callees who were ringing when LiveKit was asked. */
  private readonly shownRinging = new Set<string>();
  /** Participants that are named and not there. */
  private readonly ghosts = new Set<string>();

  /** Every room is forgotten, and no event tells of it. */
  clear(): void {
    for (const participants of this.rooms.values()) participants.clear();
    this.rooms.clear();
  }

  /** Told of every participant that leaves, as a webhook's receiver is. @returns stops it */
  onLeft(listener: (event: LeftEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  identitiesIn(room: string): string[] {
    return [...(this.rooms.get(room)?.keys() ?? [])];
  }

  /** LiveKit and its SIP have crashed: a leg is over, but the list of participants, which redis keeps, names it for ever. */
  haunts(identity: string, isGhost = true): void {
    if (isGhost) this.ghosts.add(identity);
    else this.ghosts.delete(identity);
  }

  /** The participants that LiveKit's last answer about the room named. */
  identitiesToldOf(room: string): readonly string[] {
    return this.told.get(room) ?? [];
  }

  wasShownRinging(identity: string): boolean {
    return this.shownRinging.has(identity);
  }

  setAttributes(room: string, identity: string, attributes: Readonly<Record<string, string>>): void {
    Object.assign(this.participant(room, identity).attributes, attributes);
  }

  /** LiveKit is restarted: legs live on, come again after a while, and are said to be dialing. */
  async restartsWith(room: string, meanwhile: () => Promise<void>): Promise<void> {
    const participants = this.rooms.get(room) ?? new Map<string, Participant>();
    this.rooms.delete(room);
    await meanwhile();
    for (const { kind, attributes } of participants.values())
      if (kind === 'SIP') attributes['sip.callStatus'] = 'dialing';
    this.rooms.set(room, participants);
  }

  /** A callee joins, and makes the room if there is none. */
  join(room: string, participant: Participant): void {
    const participants = this.rooms.get(room) ?? new Map<string, Participant>();
    this.rooms.set(room, participants.set(participant.identity, participant));
  }

  /** An agent joins a room that is still there. */
  joinAgent(room: string, identity: string): void {
    this.rooms.get(room)?.set(identity, { identity, kind: 'AGENT', attributes: {} });
  }

  /** A participant leaves: the callee hangs up, an agent crashes. */
  leaves(room: string, identity: string, reason: number): void {
    const participant = this.participant(room, identity);
    if (participant.end === undefined) this.remove(room, participant, reason);
    else participant.end(reason);
  }

  remove(room: string, { identity, kind, attributes }: Participant, disconnectReason: number): void {
    if (this.rooms.get(room)?.delete(identity) !== true) return;
    const event: LeftEvent = {
      ...{ event: 'participant_left', id: `EV_${randomUUID()}`, createdAt: String(Math.floor(Date.now() / 1000)) },
      room: { name: room, sid: `RM_${room}` },
      participant: { identity, kind, attributes: { ...attributes }, disconnectReason },
    };
    for (const listener of this.listeners) listener(event);
  }

  /** @returns undefined if it is no method of the room service */
  answerTo(method: string, body: RoomRequest): Answer | undefined {
    const { room = '', identity = '' } = body;
    const inRoom = [...(this.rooms.get(room)?.values() ?? [])];
    const found = inRoom.find((each) => each.identity === identity);
    switch (method) {
      case 'RoomService/CreateRoom':
        return { body: { name: body.name, sid: `RM_${String(body.name)}` } };
      case 'RoomService/DeleteRoom':
        for (const each of inRoom) this.leaves(room, each.identity, left.roomDeleted);
        this.rooms.delete(room);
        return { body: {} };
      case 'RoomService/ListParticipants':
        this.told.set(room, this.identitiesIn(room));
        for (const each of inRoom) {
          if (each.attributes['sip.callStatus'] === 'ringing') this.shownRinging.add(each.identity);
        }
        return { body: { participants: inRoom.map(shown) } };
      case 'RoomService/RemoveParticipant':
        if (found === undefined) return notFound;
        if (this.ghosts.has(identity)) return noServer;
        this.leaves(room, identity, left.participantRemoved);
        return { body: {} };
      case 'RoomService/UpdateParticipant':
        if (found === undefined) return notFound;
        if (this.ghosts.has(identity)) return noServer;
        Object.assign(found.attributes, body.attributes);
        return { body: shown(found) };
      default:
        return undefined;
    }
  }

  private participant(room: string, identity: string): Participant {
    const found = this.rooms.get(room)?.get(identity);
    if (found === undefined) throw new Error(`${identity} is not in ${room}`);
    return found;
  }
}

const shown = ({ identity, kind, attributes }: Participant): Readonly<Record<string, unknown>> => ({
  sid: `PA_${identity}`,
  identity,
  kind,
  attributes,
  state: 'ACTIVE',
});
