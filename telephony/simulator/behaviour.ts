import { z } from 'zod';
import { between, seededRandom } from './random.js';

/**
 * What the far end of one INVITE does. Seconds are simulated: the carrier's speed divides them. `ringAfterSeconds: null`
 * means that it never rings.
 */
export const Behaviour = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('answer'),
    ringAfterSeconds: z.number().min(0).nullable().default(0),
    answerAfterSeconds: z.number().min(0).default(0),
    talkSeconds: z.number().min(0).default(0),
    answeredBy: z.enum(['human', 'machine', 'unknown']).default('human'),
    endedBy: z.enum(['callee', 'agent']).default('agent'),
    /** The callee asks to be called again so long after the end. */
    callbackAfterSeconds: z.number().min(0).exactOptional(),
    /** What the callee says to what they are asked; omitted: one or the other. */
    agrees: z.boolean().exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('refuse'),
    ringAfterSeconds: z.number().min(0).nullable().default(null),
    refuseAfterSeconds: z.number().min(0).default(0),
    sipStatusCode: z.int().min(300).max(699),
    sipPhrase: z.string(),
  }),
  z.strictObject({ kind: z.literal('ring_out'), ringAfterSeconds: z.number().min(0).nullable().default(0) }),
  z.strictObject({ kind: z.literal('silence') }),
  z.strictObject({ kind: z.literal('gateway_fault'), words: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('announcement'),
    ringAfterSeconds: z.number().min(0).nullable().default(null),
    answerAfterSeconds: z.number().min(0).default(0),
    talkSeconds: z.number().min(0).default(6),
  }),
  z.strictObject({
    kind: z.literal('agent_missing'),
    ringAfterSeconds: z.number().min(0).nullable().default(0),
    answerAfterSeconds: z.number().min(0).default(0),
  }),
]);
export type Behaviour = z.infer<typeof Behaviour>;

/**
 * A scenario: what given numbers do, attempt by attempt (the last entry repeats), and what all others do instead of
 * following their digits.
 */
export const Scenario = z.strictObject({
  numbers: z.record(z.string(), z.array(Behaviour).min(1)).default({}),
  otherwise: Behaviour.optional(),
});
export type Scenario = z.infer<typeof Scenario>;

const refusal = (sipStatusCode: number, sipPhrase: string, ringsFirst: boolean, random: () => number): Behaviour => {
  const ringAfterSeconds = ringsFirst ? between(random, 0.2, 1.2) : null;
  const refuseAfterSeconds = (ringAfterSeconds ?? 0) + between(random, 0.3, ringsFirst ? 8 : 1.5);
  return { kind: 'refuse', sipStatusCode, sipPhrase, ringAfterSeconds, refuseAfterSeconds };
};

const answer = (random: () => number, low: number, high: number): Extract<Behaviour, { kind: 'answer' }> => {
  const ringAfterSeconds = between(random, 0.2, 1.2);
  return {
    kind: 'answer',
    ringAfterSeconds,
    answerAfterSeconds: ringAfterSeconds + between(random, 1, 10),
    talkSeconds: between(random, low, high),
    answeredBy: 'human',
    endedBy: random() < 0.5 ? 'callee' : 'agent',
  };
};

/** An announcement of the network, which answers without ringing. */
const announcement = (random: () => number): Behaviour => ({
  kind: 'announcement',
  ringAfterSeconds: null,
  answerAfterSeconds: between(random, 0.5, 2),
  talkSeconds: between(random, 4, 8),
});

/** The number scripts: what a number does, by its last digit, or its last two (table in docs/simulator.md). */
const scripts: Readonly<Record<string, (random: () => number, unavailableBefore: boolean) => Behaviour>> = {
  '0': (random) => answer(random, 5, 60),
  '1': (random) => refusal(486, 'Busy Here', true, random),
  '2': (random) => refusal(603, 'Decline', true, random),
  '3': (random) => ({ kind: 'ring_out', ringAfterSeconds: between(random, 0.2, 1.2) }),
  '4': (random) => refusal(480, 'Temporarily Unavailable', false, random),
  '5': (random) => refusal(404, 'Not Found', false, random),
  '6': (random, unavailableBefore) =>
    unavailableBefore ? answer(random, 5, 60) : refusal(503, 'Service Unavailable', false, random),
  '7': (random) => ({ ...answer(random, 0.2, 0.9), endedBy: 'callee' }),
  '8': () => ({ kind: 'silence' }),
  '9': (random) => ({ ...answer(random, 8, 25), answeredBy: 'machine' }),
};

export interface ScriptedInvite {
  readonly to: string;
  readonly attempt: number;
  /** Whether this attempt was already told 503 by the script of …6. */
  readonly unavailableBefore: boolean;
}

/** Chooses what happens to an INVITE: by scenario if there is one for it, else by the number's last digits. */
export function behaviourOf(invite: ScriptedInvite, seed: number, scenario: Scenario): Behaviour {
  const scripted = Object.hasOwn(scenario.numbers, invite.to) ? scenario.numbers[invite.to] : undefined;
  const chosen = scripted?.[Math.min(invite.attempt, scripted.length) - 1] ?? scenario.otherwise;
  if (chosen) return chosen;

  const random = seededRandom(seed, invite.to, invite.attempt);
  const [last, lastButOne] = [invite.to.at(-1) ?? '0', invite.to.at(-2)];
  const recovers = last === lastButOne && invite.attempt > 1;
  if (last === '4' && lastButOne === '9') return announcement(random);
  if (last === '0' && lastButOne === '9') return { ...answer(random, 20, 60), agrees: invite.attempt > 1 };
  const script = scripts[recovers ? '0' : last];
  return script ? script(random, invite.unavailableBefore) : answer(random, 5, 60);
}
