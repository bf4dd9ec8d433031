import { estimatedSeconds } from './batch/estimate.js';

/** What was measured (docs/operating.md, Agent workers; docs/benchmarks.md, Figures), for sums. */
export const measured = {
  /** Of a core, for an agent while it talks, with models that answer at once: 0.20 to 0.25. */
  coresOfConversation: 0.25,
  /** Of a core, for LiveKit (0.03) and LiveKit SIP (0.05) for each conversation. */
  coresOfLiveKit: 0.08,
  /** Process of a conversation, from the first ringing on. */
  mbOfConversation: 150,
  /** The end-of-turn model of each agent worker. */
  mbOfAgentWorker: 370,
  /** Worker 362, Temporal 288, dialer 209, PostgreSQL 192 and api 165 MiB at their peaks while calling, in MB. */
  mbOfService: 1_275,
} as const;

/** What one telephone number takes. */
export interface NumberCost {
  /** Attempts for each number. */
  readonly attempts: number;
  readonly ringSeconds: number;
  /** Share of the attempts that are answered. */
  readonly answered: number;
  /** Of an answered attempt, on average. */
  readonly talkSeconds: number;
}

/** Seconds that an attempt keeps a line and a slot: it rings, and some are answered and talked on. */
export const secondsOfAttempt = ({ ringSeconds, answered, talkSeconds }: NumberCost): number =>
  ringSeconds + answered * talkSeconds;

/** Seconds of a line that each number takes in all. */
export const secondsOfNumber = (cost: NumberCost): number => cost.attempts * secondsOfAttempt(cost);

/** What an installation with so many agent slots is made of. */
export interface Needs {
  /** For the agents, if all of them talk. */
  readonly agentCores: number;
  /** For LiveKit and LiveKit SIP beside them. */
  readonly liveKitCores: number;
  /** For the agents, of one worker. */
  readonly agentMb: number;
  /** For everything that runs on one machine, LiveKit and the system aside. */
  readonly oneMachineMb: number;
  /** New calls a second that keep all slots busy. */
  readonly callsPerSecond: number;
}

export function needsOf(slots: number, cost: NumberCost): Needs {
  const agentMb = measured.mbOfAgentWorker + slots * measured.mbOfConversation;
  return {
    agentCores: slots * measured.coresOfConversation,
    liveKitCores: slots * measured.coresOfLiveKit,
    agentMb,
    oneMachineMb: agentMb + measured.mbOfService,
    callsPerSecond: slots / secondsOfAttempt(cost),
  };
}

/** What an installation has. */
export interface Installation {
  /** Outbound gateways that can be dialed through, with the lines that batch calls have. */
  readonly gateways: readonly { readonly maxConcurrentCalls: number; readonly callsPerSecond: number }[];
  /** Calls that its agents take at once; null: agents are simulated. */
  readonly agentSlots: number | null;
  /** Of the machine that its agents run on; null: not known from here. */
  readonly cores: number | null;
}

/** What limits the calls at once: lines of the trunks, their calls a second, agents, or the processors under these. */
export type Bound = 'lines' | 'pace' | 'agents' | 'cores';

/** What an installation carries if each call keeps a line for so many seconds. */
export interface Capacity {
  /** Calls at once by each limit that is known. */
  readonly byLines: number;
  readonly byPace: number;
  readonly byAgents: number | null;
  readonly byCores: number | null;
  readonly callsAtOnce: number;
  /** The limit that is reached first. */
  readonly bound: Bound;
  readonly callsPerSecond: number;
}

/** @param callSeconds that each call keeps a line and a slot */
export function capacityOf({ gateways, agentSlots, cores }: Installation, callSeconds: number): Capacity {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const byLines = sum(gateways.map(({ maxConcurrentCalls }) => maxConcurrentCalls));
  // A gateway with many lines and a slow pace lends its lines to no other.
  const pace = sum(gateways.map((each) => Math.min(each.maxConcurrentCalls, each.callsPerSecond * callSeconds)));
  // However slow, one call after the other is carried.
  const byPace = pace === 0 ? 0 : Math.max(1, Math.floor(pace));
  const byCores = agentSlots === null || cores === null ? null : Math.floor(cores / measured.coresOfConversation);
  // The first of equals names what to raise: more agents come before cores, which they need.
  const limits: readonly (readonly [Bound, number | null])[] = [
    ['lines', byLines],
    ['pace', byPace],
    ['agents', agentSlots],
    ['cores', byCores],
  ];
  const known = limits.flatMap(([bound, calls]) => (calls === null ? [] : [{ bound, calls }]));
  const callsAtOnce = Math.min(...known.map(({ calls }) => calls));
  const bound = known.find(({ calls }) => calls === callsAtOnce)?.bound ?? 'lines';
  const callsPerSecond = sum(gateways.map((each) => each.callsPerSecond));
  return { ...{ byLines, byPace, byAgents: agentSlots, byCores, callsAtOnce, bound }, callsPerSecond };
}

/** Hours that so many numbers take; null: none can be called. */
export function hoursOf(
  numbers: number,
  { callsAtOnce, callsPerSecond }: Capacity,
  callSeconds: number,
): number | null {
  if (callsAtOnce === 0 || callsPerSecond === 0) return null;
  return estimatedSeconds({ calls: numbers, callsPerSecond, concurrency: callsAtOnce, callSeconds }) / 3_600;
}

/** In words: minutes below two hours, then hours, whole ones from ten on. */
export function aboutHours(hours: number): string {
  if (hours < 2) return `${Math.max(1, Math.round(hours * 60))} min`;
  return `${hours < 10 ? hours.toFixed(1) : Math.round(hours).toLocaleString('en-US')} h`;
}
