import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Report } from '../conversation/reports.js';

/** The metrics of an agent worker. */
export interface WorkerMetrics {
  /** Counts what a conversation's process has told. */
  count(report: Report): void;
}

const seconds = [0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8];

/** @param now read whenever the metrics are asked for */
export function createWorkerMetrics(
  registry: Registry,
  now: {
    readonly slots: () => number;
    readonly used: () => number;
    readonly warm: () => number;
    readonly limit: () => number;
  },
): WorkerMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('outdial_agent_slots', 'Calls that this worker takes at once; 0 while it warms up or drains.', now.slots);
  gauge('outdial_agent_slots_used', 'Conversations that this worker has now.', now.used);
  gauge('outdial_agent_processes_warm', 'Processes that stand ready for the next conversations.', now.warm);
  gauge('outdial_agent_slots_limit', 'Conversations that the machine of this worker keeps up with.', now.limit);
  const greeting = new Histogram({
    name: 'outdial_agent_greeting_seconds',
    help: 'From the answer, as the dialer has stored it, to the first sound that the agent sent.',
    buckets: seconds,
    registers,
  });
  const turn = new Histogram({
    name: 'outdial_agent_turn_seconds',
    help: 'From the end of what the callee said to the first sound of the answer.',
    buckets: seconds,
    registers,
  });
  const began = new Counter({ name: 'outdial_agent_conversations_total', help: 'Conversations begun.', registers });
  const failed = new Counter({
    name: 'outdial_agent_failures_total',
    help: 'Conversations that were ended because their models, or the agent, had failed.',
    registers,
  });
  return {
    count(report) {
      if (report.kind === 'busy') began.inc();
      if (report.kind === 'failed') failed.inc();
      if (report.kind === 'greeting') greeting.observe(report.ms / 1000);
      if (report.kind === 'turn') turn.observe(report.ms / 1000);
    },
  };
}
