import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { TokenVerifier } from 'livekit-server-sdk';
import { reservedPort } from '../../../embedded/free-port.js';
import { type Course, courseOf, left } from './courses.js';
import { FakeRooms, type Participant } from './fake-rooms.js';
import { FakeTrunks } from './fake-trunks.js';
import { type Answer, send } from './twirp.js';

/** What a request carried, for tests to look at. */
export interface Received {
  readonly method: string;
  readonly body: Body;
  readonly claims: Readonly<Record<string, unknown>>;
}

type Body = Readonly<Record<string, unknown>> & { readonly room?: string; readonly identity?: string };

interface Leg {
  readonly room: string;
  readonly participant: Participant;
  readonly timers: Set<NodeJS.Timeout>;
}

const visibleAfterMs = 40;
const agentAfterMs = 60;
/** A callee who rings for so long is seen to ring. */
const seenRingingMs = 200;
const lookAgainMs = 20;
const noticedAfterMs = 5_000;
export const transferTargets = { takesIt: 'sip:colleague@example.com', busy: 'sip:busy@example.com' } as const;

/**
 * A local server that speaks LiveKit's Twirp API as far as the driver uses it, and answers as LiveKit was measured to. It is
 * a fake: there is no SIP behind it, no audio, and every answer says so in a header. Legs take the course of their number
 * (courses.ts); they outlive the process that dialed them, as they do in LiveKit.
 */
export class FakeLiveKit {
  readonly apiKey = 'APIfake';
  readonly apiSecret = 'a-secret-that-must-never-be-logged-anywhere';
  readonly received: Received[] = [];
  /** INVITEs that would have left, by identity. */
  readonly invites: string[] = [];
  readonly refers: { readonly identity: string; readonly to: string }[] = [];
  readonly rooms = new FakeRooms();
  /** Inbound trunks and dispatch rules. */
  readonly inbound = new FakeTrunks();
  readonly url: string;
  private server: Server | null = null;
  private readonly dispatches = new Map<string, { id: string; agentName: string; room: string; metadata: string }[]>();
  /** Rooms to which no agent comes. */
  private readonly deserted = new Set<string>();

  private constructor(private readonly port: number) {
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<FakeLiveKit> {
    const fake = new FakeLiveKit(await reservedPort());
    await fake.up();
    return fake;
  }

  /** LiveKit dies without a word: every connection breaks, every room is forgotten. */
  async down(): Promise<void> {
    const { server } = this;
    this.server = null;
    this.rooms.clear();
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async up(): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('x-fake', 'not LiveKit: a fake for tests');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const method = (request.url ?? '').replace('/twirp/livekit.', '');
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    let claims: Record<string, unknown>;
    try {
      claims = { ...(await new TokenVerifier(this.apiKey, this.apiSecret).verify(token, 60)) };
    } catch {
      send(response, { error: { status: 401, code: 'unauthenticated', msg: `invalid token: ${token}` } });
      return;
    }
    this.received.push({ method, body, claims });
    if (method === 'SIP/CreateSIPParticipant') this.dial(body, response);
    else if (method === 'SIP/TransferSIPParticipant') this.transfer(body, response);
    else {
      send(response, this.answerTo(method, body));
    }
  }

  /** What is answered at once. */
  private answerTo(method: string, body: Body): Answer {
    const { room = '' } = body;
    switch (method) {
      case 'AgentDispatchService/CreateDispatch':
        return { body: this.dispatch(room, String(body.agentName), String(body.metadata)) };
      case 'AgentDispatchService/ListDispatch':
        return { body: { agentDispatches: this.dispatches.get(room) ?? [] } };
      case 'AgentDispatchService/DeleteDispatch':
        return { body: {} };
      default:
        return (
          this.rooms.answerTo(method, body) ??
          this.inbound.answerTo(method, body) ?? {
            error: { status: 404, code: 'bad_route', msg: `no handler for ${method}` },
          }
        );
    }
  }

  private dispatch(room: string, agentName: string, metadata: string) {
    const made = { id: `AD_${randomUUID()}`, agentName, room, metadata };
    this.dispatches.set(room, [...(this.dispatches.get(room) ?? []), made]);
    if (!this.deserted.has(room)) {
      setTimeout(() => {
        this.rooms.joinAgent(room, `agent-${made.id}`);
      }, agentAfterMs);
    }
    return made;
  }

  private dial(body: Body, response: ServerResponse): void {
    const order = body as unknown as {
      readonly sipCallTo: string;
      readonly roomName: string;
      readonly participantIdentity: string;
      readonly participantAttributes: Record<string, string>;
      readonly ringingTimeout: string;
    };
    const course: Course = courseOf(order.sipCallTo);
    const identity = order.participantIdentity;
    if (course.sends !== false) this.invites.push(identity);
    if (course.agent === false) this.deserted.add(order.roomName);

    const leg: Leg = {
      room: order.roomName,
      timers: new Set(),
      participant: {
        ...{ identity, kind: 'SIP', attributes: { ...order.participantAttributes, 'sip.callStatus': 'dialing' } },
        end: (reason) => {
          if (leg.participant.attributes['sip.callStatus'] === 'active' && reason === left.clientInitiated) {
            leg.participant.attributes['sip.callStatus'] = 'hangup';
          }
          this.endLeg(leg, reason);
          send(response, { error: { status: 408, code: 'canceled', msg: 'sip request timed out' } });
        },
      },
    };
    const after = (ms: number, work: () => void): void => {
      leg.timers.add(setTimeout(work, ms));
    };
    const join = (): void => {
      if (course.sends !== false) this.rooms.join(leg.room, leg.participant);
    };
    const status = (value: string): void => {
      leg.participant.attributes['sip.callStatus'] = value;
    };
    const { end, ringMs } = course;
    after(Math.min(visibleAfterMs, ...(end === undefined ? [] : [end.afterMs])), join);
    if (ringMs !== undefined) after(ringMs, () => status('ringing'));
    /** Once it has rung for a while, a question has been answered: on a busy machine none may have come by then. */
    const afterRinging = (ms: number, work: () => void): void => {
      const isToBeSeen = ringMs !== undefined && ms - ringMs >= seenRingingMs;
      const look = (): void => {
        if (!isToBeSeen || this.rooms.wasShownRinging(identity)) work();
        else after(lookAgainMs, look);
      };
      after(ms, look);
    };
    afterRinging(Number.parseFloat(order.ringingTimeout) * 1000, () => {
      if (leg.participant.attributes['sip.callStatus'] !== 'active') leg.participant.end?.(left.unavailable);
    });
    if (end === undefined) return;
    afterRinging(end.afterMs, () => {
      if (ringMs !== undefined) status('ringing'); // timers that are late fire in any order
      if (end.how === 'broken') response.destroy();
      else if (end.how === 'other') send(response, { body: end.body });
      else if (end.how === 'error') {
        // A leg whose LiveKit SIP has died stays in the room until LiveKit notices, after 20 seconds.
        if (end.left === left.connectionTimeout) after(noticedAfterMs, () => this.endLeg(leg, end.left));
        else this.endLeg(leg, end.left);
        send(response, { error: end.answer });
      } else {
        join();
        status('active');
        after(end.talkMs, () => leg.participant.end?.(left.clientInitiated));
        send(response, {
          body: {
            participantId: `PA_${identity}`,
            participantIdentity: identity,
            sipCallId: `SCL_${identity}`,
          },
        });
      }
    });
  }

  private endLeg(leg: Leg, reason: number): void {
    for (const timer of leg.timers) clearTimeout(timer);
    this.rooms.remove(leg.room, leg.participant, reason);
  }

  private transfer(body: Body, response: ServerResponse): void {
    const { roomName, participantIdentity, transferTo } = body as unknown as {
      readonly roomName: string;
      readonly participantIdentity: string;
      readonly transferTo: string;
    };
    this.refers.push({ identity: participantIdentity, to: transferTo });
    if (transferTo === transferTargets.busy) {
      const meta = { sip_status_code: '486', sip_status: 'Busy Here' };
      send(response, { error: { status: 429, code: 'resource_exhausted', msg: 'sip status 486', meta } });
      return;
    }
    send(response, { body: {} });
    setTimeout(() => this.rooms.leaves(roomName, participantIdentity, left.clientInitiated), 20);
  }
}
