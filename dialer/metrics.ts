import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The metrics of a dialer. */
export interface DialerMetrics {
  readonly invites: Counter;
  readonly ended: Counter<'status'>;
  readonly refusedAtGate: Counter<'refusal'>;
  readonly liveLegs: Gauge;
  readonly takenOver: Counter;
  readonly leasesLost: Counter;
  readonly failures: Counter<'step'>;
  readonly claimSeconds: Histogram;
  readonly gateSeconds: Histogram;
  readonly preDialSeconds: Histogram<'outcome'>;
  readonly agentSlots: Gauge<'region'>;
  readonly agentSlotsTaken: Gauge<'region'>;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createDialerMetrics(registry: Registry): DialerMetrics {
  const registers = [registry];
  return {
    invites: new Counter({ name: 'outdial_invites_total', help: 'INVITEs sent.', registers }),
    ended: new Counter({
      name: 'outdial_attempts_ended_total',
      help: 'Attempts that ended, by status.',
      labelNames: ['status'],
      registers,
    }),
    refusedAtGate: new Counter({
      name: 'outdial_gate_refusals_total',
      help: 'Claimed attempts that were not dialed, by reason.',
      labelNames: ['refusal'],
      registers,
    }),
    liveLegs: new Gauge({ name: 'outdial_live_legs', help: 'Legs that this process holds.', registers }),
    takenOver: new Counter({
      name: 'outdial_legs_taken_over_total',
      help: 'Legs of dead dialers that this process took over.',
      registers,
    }),
    leasesLost: new Counter({
      name: 'outdial_dialer_leases_lost_total',
      help: 'How often this process found that its lease had run out, and took another id.',
      registers,
    }),
    failures: new Counter({
      name: 'outdial_dialer_failures_total',
      help: 'Steps of the dialer that failed: claim, pace, gate, commit, lease, and rounds of what it does again and again.',
      labelNames: ['step'],
      registers,
    }),
    claimSeconds: new Histogram({
      name: 'outdial_claim_seconds',
      help: 'Duration of claims that took something.',
      buckets: seconds,
      registers,
    }),
    gateSeconds: new Histogram({
      name: 'outdial_gate_seconds',
      help: 'Duration of gate statements.',
      buckets: seconds,
      registers,
    }),
    preDialSeconds: new Histogram({
      name: 'outdial_pre_dial_seconds',
      help: 'Duration of questions to pre-dial endpoints, by outcome: answered, failed.',
      labelNames: ['outcome'],
      buckets: [...seconds, 5],
      registers,
    }),
    agentSlots: new Gauge({
      name: 'outdial_region_agent_slots',
      help: 'Calls that the agent workers of a region take at once.',
      labelNames: ['region'],
      registers,
    }),
    agentSlotsTaken: new Gauge({
      name: 'outdial_region_agent_slots_taken',
      help: 'Calls of a region that have one of its slots, or wait for one before they are dialed.',
      labelNames: ['region'],
      registers,
    }),
  };
}
