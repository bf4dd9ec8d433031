import { DataPacket_Kind, ParticipantInfo_Kind, ParticipantInfo_State, type ParticipantInfo } from '@livekit/protocol';
import { AccessToken, AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { agentName, callAttribute, formatAgentJob } from '../../domain/agent/job.js';
import { formatId } from '../../domain/ids.js';
import { legAttributes } from '../../domain/call/disconnect.js';
import { AnswerLost, type DialOrder, type TransferResult } from '../provider.js';
import { cannotAsk, dialFailure, isGone, transferFailure, type DialFailure } from './failure.js';
import { numberFor, participantOf, trunkOf } from './order.js';
import type { LiveKitRegion } from './regions.js';

/** A participant of a room, as far as the driver looks at it. */
export interface Seen {
  readonly identity: string;
  readonly isAgent: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * One LiveKit. Every method but `dial` and `transfer` rejects with `ProviderUnreachable` alone. The SDK's failover is off
 * throughout: it would replay a dial.
 */
export interface LiveKitClient {
  readonly region: string;
  createRoom(room: string, callId: string | null): Promise<void>;
  /** Ends every leg in a room. @returns whether it was there */
  closeRoom(room: string): Promise<boolean>;
  /** Sends a word to the agents of a call, and to nobody else. */
  tellAgents(room: string, callTextId: string, topic: string): Promise<void>;
  /** Best effort: LiveKit closes an empty room. */
  dropRoom(room: string): Promise<void>;
  /** Empty if there is no such room. */
  participants(room: string): Promise<readonly Seen[]>;
  /** Whether LiveKit itself has a participant that its list names: the list outlives a crash, see presence.ts. */
  serves(room: string, identity: string): Promise<boolean>;
  /** Ends the leg of a participant: CANCEL or BYE. @returns whether it was there */
  remove(room: string, identity: string): Promise<boolean>;
  /** Sends the job of a call to an agent worker. @returns names the dispatch */
  dispatch(room: string, callId: string): Promise<string>;
  /** Sends a worker the job of a caller by this inbound rule. */
  dispatchToCaller(room: string, ruleId: string): Promise<void>;
  /** The dispatch of a call in the room, if another process has made one. */
  dispatchOf(room: string, callId: string): Promise<string | null>;
  dropDispatch(room: string, id: string): Promise<void>;
  /**
   * Sends the INVITE. @returns null once it is answered, else how it ended
   * @throws ProviderUnreachable, AnswerLost
   */
  dial(order: DialOrder): Promise<DialFailure | null>;
  /** Sends a REFER for an answered leg. @throws ProviderUnreachable, AnswerLost */
  transfer(room: string, identity: string, to: string): Promise<TransferResult>;
}

const requestSeconds = 5;
/** A dial is answered this much after its ringing at the latest; LiveKit's own limit lies in between. */
const dialMarginSeconds = 15;
const transferRingSeconds = 40;
/** The server adds about a minute of leeway. A dialer that froze between its gate and the INVITE cannot send it later. */
const dialTokenSeconds = 1;
const emptyRoomSeconds = 60;
const leftRoomSeconds = 20;

const seenFrom = ({ identity, kind, state, attributes }: ParticipantInfo): Seen => ({
  identity,
  isAgent: kind === ParticipantInfo_Kind.AGENT && state === ParticipantInfo_State.ACTIVE,
  attributes,
});

export function createLiveKitClient({ name, url, apiKey, apiSecret }: LiveKitRegion): LiveKitClient {
  const settings = { requestTimeout: requestSeconds, failover: false };
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, settings);
  const dispatches = new AgentDispatchClient(url, apiKey, apiSecret, settings);
  const sip = new SipClient(url, apiKey, apiSecret, settings);

  async function ask<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw cannotAsk(error, name);
    }
  }

  /** For what may be gone already. @returns whether it was there */
  async function drop(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw cannotAsk(error, name);
    }
  }

  async function markTransferring(room: string, identity: string, value: 'yes' | ''): Promise<boolean> {
    return drop(rooms.updateParticipant(room, identity, { attributes: { [legAttributes.transferring]: value } }));
  }

  return {
    region: name,
    async createRoom(room, callId) {
      const metadata = callId === null ? '' : formatId('call', callId);
      await ask(
        rooms.createRoom({
          name: room,
          metadata,
          emptyTimeout: emptyRoomSeconds,
          departureTimeout: leftRoomSeconds,
        }),
      );
    },
    closeRoom: (room) => drop(rooms.deleteRoom(room)),
    async tellAgents(room, callTextId, topic) {
      const agents = (await ask(rooms.listParticipants(room)))
        .map(seenFrom)
        .filter(({ isAgent, attributes }) => isAgent && [undefined, callTextId].includes(attributes[callAttribute]));
      // Without destinations everybody would get it.
      if (agents.length === 0) return;
      const destinationIdentities = agents.map(({ identity }) => identity);
      await ask(
        rooms.sendData(room, Buffer.from(callTextId), DataPacket_Kind.RELIABLE, { topic, destinationIdentities }),
      );
    },
    async dropRoom(room) {
      await rooms.deleteRoom(room).catch(() => undefined);
    },
    participants: async (room) => (await ask(rooms.listParticipants(room))).map(seenFrom),
    serves: (room, identity) => drop(rooms.updateParticipant(room, identity, {})),
    remove: (room, identity) => drop(rooms.removeParticipant(room, identity)),
    async dispatch(room, callId) {
      return (await ask(dispatches.createDispatch(room, agentName, { metadata: formatId('call', callId) }))).id;
    },
    async dispatchToCaller(room, ruleId) {
      await ask(dispatches.createDispatch(room, agentName, { metadata: formatAgentJob({ kind: 'inbound', ruleId }) }));
    },
    async dispatchOf(room, callId) {
      const made = await ask(dispatches.listDispatch(room));
      const own = made.find((each) => each.agentName === agentName && each.metadata === formatId('call', callId));
      return own?.id ?? null;
    },
    async dropDispatch(room, id) {
      await dispatches.deleteDispatch(id, room).catch(() => undefined);
    },
    async dial(order) {
      const { gateway } = order;
      const participant = participantOf(order);
      const timeout = participant.ringingTimeout + dialMarginSeconds;
      const token = new AccessToken(apiKey, apiSecret, { ttl: dialTokenSeconds });
      token.addSIPGrant({ call: true });
      const dialing = new SipClient(url, undefined, undefined, { ...settings, token: await token.toJwt() });
      try {
        const to = numberFor(order.to, gateway.numberFormat);
        const settings = { ...participant, timeout };
        const made = await dialing.createSipParticipant('', to, order.room, settings, trunkOf(gateway));
        if (made.participantIdentity === order.identity) return null;
      } catch (error) {
        return dialFailure(error, name, Object.keys(order.headers).length > 0);
      }
      // Something in between has answered, such as a proxy: whether the callee has picked up is not known.
      throw new AnswerLost(`LiveKit of the region ${name} answers 200 and names no such participant`);
    },
    async transfer(room, identity, to) {
      if (!(await markTransferring(room, identity, 'yes'))) return { transferred: false, message: 'The call is over.' };
      try {
        await sip.transferSipParticipant(room, identity, to.startsWith('+') ? `tel:${to}` : to, {
          ringingTimeout: transferRingSeconds,
          timeout: transferRingSeconds + dialMarginSeconds,
        });
        return { transferred: true, message: 'The carrier has transferred the call.' };
      } catch (error) {
        const failure = transferFailure(error, name);
        // The carrier has answered. An error here must not escape: the transfer would be repeated, with a second REFER.
        await markTransferring(room, identity, '').catch(() => undefined);
        return { transferred: false, ...failure };
      }
    },
  };
}
