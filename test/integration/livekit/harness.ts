import type { Callee, ProviderUnderTest } from '../call-provider-under-test.js';
import { orderTo } from '../simulator/carrier-process.js';
import { readCalleeIdentity } from '../../../domain/call/callee-identity.js';
import { type Disconnect, disconnectOf } from '../../../domain/call/disconnect.js';
import { createLiveKitProvider } from '../../../telephony/livekit/driver.js';
import type { LegTiming } from '../../../telephony/livekit/leg-timing.js';
import type { LegRecord, LegRecords } from '../../../telephony/livekit/records.js';
import type { AttemptRef, CallProvider, DialOrder } from '../../../telephony/provider.js';
import { type CourseName, numberOf } from './courses.js';
import { dialByLiveKitInAnotherProcess } from './dialing-process.js';
import { FakeLiveKit, transferTargets } from './fake-livekit.js';
import type { LeftEvent } from './twirp.js';

/**
 * What is waited for as long as it takes comes ten times as often; what ends a call that is late has seconds, so that a busy
 * machine is not taken for one. Tests of being late say how late.
 */
export const quick: LegTiming = {
  ...{ pollMs: 40, truthMs: 1_500, hurryMs: 15 },
  ...{ agentLimitMs: 60_000, goneForMs: 400, absentForMs: 200, hintMs: 5_000 },
};

const keyOf = ({ callId, attempt, invite }: Pick<AttemptRef, 'callId' | 'attempt' | 'invite'>): string =>
  `${callId}/${attempt}/${invite}`;

/** Tells of callees who have left their room, as LiveKit's webhooks do. */
export interface LeftNews {
  onLeft(listener: (event: Pick<LeftEvent, 'room' | 'participant' | 'createdAt'>) => void): void;
}

/** What the database keeps of legs, kept in memory: the disconnects that webhooks tell of, and what a test writes. */
export class MemoryRecords implements LegRecords {
  private readonly stored = new Map<string, Partial<LegRecord>>();
  private readonly wakes = new Set<readonly [room: string, wake: () => void]>();
  /** Webhooks are lost while true. */
  deaf = false;

  constructor(news: LeftNews) {
    news.onLeft(({ room, participant: { identity, attributes, disconnectReason }, createdAt }) => {
      if (this.deaf) return;
      const ref = readCalleeIdentity(identity);
      const at = new Date(Number(createdAt) * 1000);
      if (ref !== null) this.store(ref, { disconnect: disconnectOf(attributes, disconnectReason, at) });
      for (const [named, wake] of this.wakes) if (named === room.name) wake();
    });
  }

  store(ref: Pick<AttemptRef, 'callId' | 'attempt' | 'invite'>, known: Partial<LegRecord>): void {
    this.stored.set(keyOf(ref), { ...this.stored.get(keyOf(ref)), ...known });
  }

  leftOf(ref: AttemptRef): Disconnect | null {
    return this.stored.get(keyOf(ref))?.disconnect ?? null;
  }

  of(ref: AttemptRef): Promise<LegRecord> {
    const nothing = { ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null };
    return Promise.resolve({ ...nothing, ...this.stored.get(keyOf(ref)) });
  }

  onRoomEvent(room: string, wake: () => void): () => void {
    const entry = [room, wake] as const;
    this.wakes.add(entry);
    return () => this.wakes.delete(entry);
  }
}

export interface LiveKitTestEnv {
  readonly fake: FakeLiveKit;
  readonly records: MemoryRecords;
  connect(timing?: Partial<LegTiming>): CallProvider;
  close(): Promise<void>;
}

export async function liveKitTestEnv(): Promise<LiveKitTestEnv> {
  const fake = await FakeLiveKit.start();
  const records = new MemoryRecords(fake.rooms);
  const opened: CallProvider[] = [];
  return {
    fake,
    records,
    connect(timing = {}) {
      const provider = createLiveKitProvider({
        regions: [{ name: 'default', url: fake.url, apiKey: fake.apiKey, apiSecret: fake.apiSecret }],
        records,
        agents: { reserve: () => Promise.resolve() },
        timing: { ...quick, ...timing },
      });
      opened.push(provider);
      return provider;
    },
    async close() {
      for (const provider of opened) await provider.close();
      await fake.down();
    },
  };
}

/** An order whose call takes the course. */
export const orderOf = (course: CourseName, changes: Partial<DialOrder> = {}): DialOrder =>
  orderTo(numberOf(course), changes);

const coursesOfCallees: Readonly<Record<Callee, CourseName>> = {
  'answers and talks a little': 'answers and talks a little',
  'answers and talks for long': 'answers and talks for long',
  'rings for long': 'rings for long',
  'is tried for long': 'is tried for long',
  'is busy': '486',
  declines: '603',
  'cannot be found': '404',
  'is unavailable and never rings': '480',
  'rings out': 'rings for long',
  'never responds': 'no response',
};

/** The fake behind the conformance suite. */
export async function liveKitUnderTest(): Promise<ProviderUnderTest & { stop(): Promise<void> }> {
  const testEnv = await liveKitTestEnv();
  const { fake } = testEnv;
  return {
    fences: false,
    checksGateways: false,
    remembersEnds: false,
    connect: () => testEnv.connect(),
    order: (callee) => orderOf(coursesOfCallees[callee], callee === 'rings out' ? { ringTimeoutSeconds: 1 } : {}),
    transferTarget: (does) => (does === 'is busy' ? transferTargets.busy : transferTargets.takesIt),
    refersOf: (ref) => Promise.resolve(fake.refers.filter((refer) => refer.identity === identityOf(ref)).length),
    invitesOf: (ref) => Promise.resolve(fake.invites.filter((identity) => identity === identityOf(ref)).length),
    dialElsewhere: (order, until) => dialByLiveKitInAnotherProcess(fake, order, until),
    killProvider: () => fake.down(),
    restartProvider: () => fake.up(),
    stop: () => testEnv.close(),
  };
}

const identityOf = ({ callId, attempt, invite }: AttemptRef): string => `callee_${callId}_${attempt}_${invite}`;
