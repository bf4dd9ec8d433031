import { inviteText } from '../../domain/call/attempt-key.js';
import { calleeIdentity } from '../../domain/call/callee-identity.js';
import { holdTopic } from '../../domain/call/warm-transfer.js';
import type { TrunkEnd } from '../../domain/phone/trunk-end.js';
import { formatId } from '../../domain/ids.js';
import { legAttributes } from '../../domain/call/disconnect.js';
import { type AttemptRef, type AttemptResult, type CallProvider, ProviderUnreachable } from '../provider.js';
import type { TrunkJudgement } from '../trunk-judgement.js';
import { targetFailure } from './failure.js';
import { createLiveKitClient, type LiveKitClient, type Seen } from './client.js';
import { endOfGone, isFinal, knownFrom } from './disconnect.js';
import { isOwnRoom } from './order.js';
import { type HeldLeg, watchLeg } from './leg.js';
import { defaultTiming, type LegTiming } from './leg-timing.js';
import type { AgentSlots, LegRecords } from './records.js';
import { type LiveKitRegion, regionFor } from './regions.js';

export interface LiveKitProviderOptions {
  /** At least one; the first serves gateways whose region is `auto`. */
  readonly regions: readonly LiveKitRegion[];
  readonly records: LegRecords;
  readonly agents: AgentSlots;
  readonly timing?: Partial<LegTiming>;
  /** Judges where a trunk leads before each call (cli/roles/trunk-judge.ts); omitted: every trunk is allowed. */
  readonly judgeTrunk?: (address: string) => Promise<TrunkJudgement>;
}

/** A check's words about the address of a trunk; the same for a name that does not exist and one of the service's own network. */
const trunkWords: Readonly<Record<TrunkJudgement, string>> = {
  allowed: 'and the address of the trunk leads to the public internet',
  refused: 'but the address of the trunk leads to no address that may be called',
  unknown: 'but the name of the trunk cannot be looked up right now',
};

/** Longest wait for a judgement between gate and INVITE: `prepare` has asked before, so that it is known as a rule. */
const longestJudgingMs = 1_000;
const lateJudgement = (): Promise<TrunkJudgement> =>
  new Promise((resolve) => {
    setTimeout(() => resolve('unknown'), longestJudgingMs).unref();
  });

/** The result of an attempt whose INVITE was not sent, because the trunk's address is not allowed. */
const refusedTrunk = (): AttemptResult => ({
  how: 'gateway_fault',
  rang: false,
  words: 'gateway_address_refused',
  at: new Date(),
});

const notThere = new Error('the leg is not there');

const trunkUnknown = (): ProviderUnreachable =>
  new ProviderUnreachable('the name of the trunk cannot be looked up right now', { unsent: 'trunk_name_unknown' });

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The driver of LiveKit SIP. What it holds in memory are the legs that this process watches; another process finds them
 * again by room and identity.
 *
 * It never reports `fenced`: LiveKit cannot promise that a reference will be refused, and a leg that is absent may have been
 * placed and be over. docs/telephony.md says what each of its answers means.
 */
export function createLiveKitProvider(options: LiveKitProviderOptions): CallProvider {
  const { records, agents } = options;
  const judgeTrunk = options.judgeTrunk ?? (() => Promise.resolve('allowed' as const));
  const timing = { ...defaultTiming, ...options.timing };
  const clients = options.regions.map((region) => ({ name: region.name, client: createLiveKitClient(region) }));
  const held = new Map<string, HeldLeg>();
  /** The last judgement of `prepare` on the address of each trunk. */
  const judged = new Map<string, TrunkJudgement>();
  const judgedOf = (address: string): TrunkJudgement | undefined =>
    options.judgeTrunk === undefined ? 'allowed' : judged.get(address);
  let closed = false;

  /** @throws ProviderUnreachable if it is not known: the call takes up no room, slot and agent until it is */
  async function judge(address: string): Promise<void> {
    const judgement = await judgeTrunk(address);
    judged.set(address, judgement);
    if (judgement === 'unknown') throw trunkUnknown();
  }

  const clientFor = ({ region }: Pick<TrunkEnd, 'region'>): LiveKitClient => regionFor(region, clients).client;

  /** The LiveKits that may have the leg: only the reference of one that came in says its region. */
  function homesOf(ref: AttemptRef): readonly LiveKitClient[] {
    if (ref.inboundRegion !== undefined) return [clientFor({ region: ref.inboundRegion })];
    const leg = held.get(inviteText(ref));
    return leg === undefined ? clients.map(({ client }) => client) : [leg.client];
  }

  /**
   * Asks the LiveKits that may have the leg. The first that has it is enough: another one may not answer.
   *
   * @param ask answers null if it is not there
   * @returns null if it is nowhere
   * @throws ProviderUnreachable if it is not found and a LiveKit that may have it could not be asked
   */
  async function askHomes<T>(ref: AttemptRef, ask: (client: LiveKitClient) => Promise<T | null>): Promise<T | null> {
    const asked = homesOf(ref).map(async (client) => {
      const answer = await ask(client);
      if (answer === null) throw notThere;
      return answer;
    });
    return Promise.any(asked).catch((error: unknown) => {
      const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
      const cause = causes.find((each) => each !== notThere);
      if (cause === undefined) return null;
      throw cause instanceof Error ? cause : new Error('a LiveKit could not be asked', { cause });
    });
  }

  const find = (ref: AttemptRef): Promise<{ readonly client: LiveKitClient; readonly callee: Seen } | null> =>
    askHomes(ref, async (client) => {
      const callee = (await client.participants(ref.room)).find((each) => each.identity === calleeIdentity(ref));
      return callee === undefined ? null : { client, callee };
    });

  /** As `find`, but null also if a LiveKit that could not be asked cannot have it: a webhook has said that it left for good. */
  const findUnlessGone = (ref: AttemptRef): ReturnType<typeof find> =>
    find(ref).catch(async (error: unknown) => {
      if (isFinal((await records.of(ref)).disconnect)) return null;
      throw error;
    });

  async function watch(ref: AttemptRef, leg: HeldLeg): Promise<AttemptResult> {
    held.set(inviteText(ref), leg);
    try {
      return await leg.result;
    } finally {
      held.delete(inviteText(ref));
    }
  }

  return {
    simulated: false,

    async prepare(order) {
      const client = clientFor(order.gateway);
      await agents.reserve(order, client.region);
      // Looked up here, so that nothing has to be waited for between the gate and the INVITE.
      await judge(order.gateway.address);
      await client.createRoom(order.room, isOwnRoom(order) ? order.callId : null);
    },

    async dial(order, on) {
      if (closed) throw new ProviderUnreachable('the provider is closed', { unsent: null });
      const client = clientFor(order.gateway);
      // A leg that can be hung up at once is known at once: nothing is awaited for what `prepare` has found out.
      const { address } = order.gateway;
      const trunk = judgedOf(address) ?? (await Promise.race([judgeTrunk(address), lateJudgement()]));
      if (trunk === 'unknown') throw trunkUnknown();
      if (trunk === 'refused') return refusedTrunk();
      const dialing = client.dial(order);
      const maxCallMs = order.maxCallSeconds * 1000;
      return watch(order, watchLeg({ ref: order, client, records, timing, on, dialing, maxCallMs }));
    },

    async hangUp(ref, reason) {
      const leg = held.get(inviteText(ref));
      if (leg !== undefined) return leg.hangUp(reason);
      await askHomes(ref, async (client) => ((await client.remove(ref.room, calleeIdentity(ref))) ? true : null));
    },

    async transfer(ref, to) {
      const found = await find(ref);
      if (found === null) return { transferred: false, message: 'The call is over, or was never placed.' };
      const { client, callee } = found;
      if (callee.attributes[legAttributes.callStatus] !== 'active') {
        return { transferred: false, message: 'Only a call that is answered can be transferred.' };
      }
      return client.transfer(ref.room, callee.identity, to);
    },

    async askToHold(ref) {
      await Promise.all(
        homesOf(ref).map((client) => client.tellAgents(ref.room, formatId('call', ref.callId), holdTopic)),
      );
      return false;
    },

    async prepareTarget({ gateway, room }) {
      await judge(gateway.address);
      await clientFor(gateway).createRoom(room, null);
    },

    async callTarget(order) {
      if (closed) throw new ProviderUnreachable('the provider is closed', { unsent: null });
      const trunk = judgedOf(order.gateway.address);
      if (trunk === 'refused') return { transferred: false, message: 'the address of the trunk may not be called' };
      if (trunk !== 'allowed') throw trunkUnknown();
      const { leg, ...target } = order;
      const failure = await clientFor(order.gateway).dial({ ...leg, ...target, dtmf: true, record: false });
      return failure === null ? 'answered' : targetFailure(failure);
    },

    async hangUpTarget({ leg, room }) {
      await askHomes(leg, async (client) => ((await client.closeRoom(room)) ? true : null));
    },

    async reconcile(ref) {
      const goneAt = new Date();
      for (;;) {
        const found = await findUnlessGone(ref);
        if (found !== null && (await found.client.serves(ref.room, found.callee.identity))) return 'live';
        const record = await records.of(ref);
        const known =
          found !== null || record.ringingAt !== null || record.answeredAt !== null || record.disconnect !== null;
        if (!known) return 'absent';
        // A leg that certainly was there may only be missing because LiveKit has just been restarted.
        if (isFinal(record.disconnect) || Date.now() - goneAt.getTime() >= timing.goneForMs) {
          return endOfGone(knownFrom(record, goneAt)) ?? 'absent';
        }
        await sleep(timing.pollMs);
      }
    },

    async follow(ref, on) {
      const found = await find(ref);
      const client = found?.client ?? homesOf(ref)[0];
      if (client === undefined) throw new ProviderUnreachable('no LiveKit is configured');
      return watch(ref, watchLeg({ ref, client, records, timing, on }));
    },

    letGo(ref) {
      held.get(inviteText(ref))?.close();
    },

    async checkGateway(gateway) {
      // Says whether LiveKit answers and takes the key; whether LiveKit SIP does too, only a call can tell.
      await clientFor(gateway).participants('outdial-check');
      const said = 'LiveKit cannot send SIP OPTIONS, so whether the trunk answers is known from the first call.';
      return {
        reachable: false,
        message: `${said} LiveKit itself answers, ${trunkWords[await judgeTrunk(gateway.address)]}.`,
      };
    },

    close() {
      closed = true;
      for (const leg of held.values()) leg.close();
      return Promise.resolve();
    },
  };
}
