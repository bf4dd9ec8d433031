import type { Violation } from './judge/evidence.js';
import type { Journal } from './journal.js';
import type { LedgerLine } from '../../telephony/simulator/ledger.js';

/** Faults are told from this long before a call's first event. */
const beforeMs = 20_000;
const mostLines = 120;

const clock = (atMs: number): string => new Date(atMs).toISOString().slice(11, 23);

/** What happened around a violation: every fault, and every order and line of the ledger that concerns it. */
export function timelineOf(violation: Violation, journal: Journal, ledger: readonly LedgerLine[]): string[] {
  const about = new Set(violation.about.filter((word) => word !== ''));
  const concerns = (text: string): boolean => [...about].some((word) => text.includes(word));
  const lines = ledger.flatMap((line) => {
    if (line.event === 'started') return [{ atMs: Date.parse(line.at), text: 'carrier   started' }];
    if (!about.has(line.callId ?? '') && !about.has(line.to ?? '')) return [];
    const { event, attempt, invite, how, sipStatusCode, reason, to } = line;
    const rest = [to, `attempt ${attempt ?? ''} invite ${invite ?? ''}`, how, sipStatusCode, reason];
    return [
      { atMs: Date.parse(line.at), text: `carrier   ${event} ${rest.filter((word) => word !== undefined).join(' ')}` },
    ];
  });
  const orders = journal.entries.filter(
    ({ kind, about: subjects, text }) =>
      kind === 'order' && (subjects.some((word) => about.has(word)) || concerns(text)),
  );
  const firstMs = Math.min(violation.atMs, ...lines.slice(0, 1).map(({ atMs }) => atMs)) - beforeMs;
  const others = journal.entries.filter(
    ({ kind, atMs }) => kind !== 'order' && atMs >= firstMs && atMs <= violation.atMs + 2_000,
  );
  const all = [
    ...lines.filter(({ atMs }) => atMs >= firstMs),
    ...[...orders, ...others].map(({ atMs, kind, text }) => ({ atMs, text: `${kind.padEnd(9)} ${text}` })),
  ];
  return all
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-mostLines)
    .map(({ atMs, text }) => `    ${clock(atMs)} ${text}`);
}

export interface Summary {
  readonly seed: number;
  readonly minutes: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly faultsInAll: number;
  readonly skipped: readonly string[];
  readonly batches: number;
  readonly calls: number;
  readonly invites: number;
  /** What was asked about single recipients and answered with 200. */
  readonly orders: Readonly<Record<string, number>>;
  readonly webhooks: number;
  readonly ratesExcused: number;
  readonly violations: readonly Violation[];
}

export function summaryLines(summary: Summary): string[] {
  const kinds = Object.entries(summary.faults).sort(([, a], [, b]) => b - a);
  const rules = new Map<string, number>();
  for (const { rule } of summary.violations) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  return [
    '',
    `Soak of ${summary.minutes.toFixed(1)} minutes, seed ${summary.seed}`,
    `  ${summary.faultsInAll} faults: ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
    ...summary.skipped.map((reason) => `  skipped: ${reason}`),
    `  ${summary.batches} batches, ${summary.calls} calls, ${summary.invites} INVITEs, ${summary.webhooks} webhooks`,
    `  ${Object.entries(summary.orders)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
    `  ${summary.ratesExcused} INVITEs over the rate because they had been held up on the way, which is not judged`,
    `  ${summary.violations.length} violations${[...rules].map(([rule, count]) => `, ${count} ${rule}`).join('')}`,
  ];
}
