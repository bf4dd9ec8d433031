import type { LedgerLine } from './ledger.js';

/** Counts of ledger lines, for one gateway or all. */
interface Counts {
  invites: number;
  ringing: number;
  answered: number;
  rejected: number;
  ended: number;
  fenced: number;
  refused: number;
  readonly violations: { repeated: number; calls_per_second: number; channels: number };
}

export interface Tally {
  readonly all: Counts;
  of(gatewayId: string): Counts;
  count(line: LedgerLine): void;
}

const none = (): Counts => ({
  invites: 0,
  ringing: 0,
  answered: 0,
  rejected: 0,
  ended: 0,
  fenced: 0,
  refused: 0,
  violations: { repeated: 0, calls_per_second: 0, channels: 0 },
});

/** Counts what the ledger holds; fed with every line, old and new, so that counts outlive a restart. */
export function createTally(): Tally {
  const all = none();
  const gateways = new Map<string, Counts>();
  const of = (gatewayId: string): Counts => {
    const found = gateways.get(gatewayId) ?? none();
    gateways.set(gatewayId, found);
    return found;
  };
  return {
    all,
    of,
    count(line) {
      add(all, line);
      if (line.gatewayId !== undefined) add(of(line.gatewayId), line);
    },
  };
}

function add(counts: Counts, { event, reason }: LedgerLine): void {
  switch (event) {
    case 'invite':
      counts.invites++;
      return;
    case 'ringing':
    case 'answered':
    case 'rejected':
    case 'ended':
    case 'fenced':
    case 'refused':
      counts[event]++;
      return;
    case 'violation':
      if (reason === 'repeated' || reason === 'calls_per_second' || reason === 'channels') counts.violations[reason]++;
      return;
    default:
  }
}
