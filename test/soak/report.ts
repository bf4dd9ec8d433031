import type { Violation } from './judge/evidence.js';
import type { Journal, JournalEntry } from './journal.js';
import type { LedgerLine } from '../../telephony/simulator/ledger.js';

/** What the soak did, and what the carrier saw. */
export interface Witnesses {
  readonly journal: Journal;
  readonly ledger: readonly LedgerLine[];
}

/** Faults are told from this long before a call's first event. */
const beforeMs = 20_000;
/** Of what is about the violation more is told than of what happened beside it: the first of these, and the last. */
const mostAbout = 80;

const clock = (atMs: number): string => new Date(atMs).toISOString().slice(11, 23);

interface Told {
  readonly atMs: number;
  readonly text: string;
}

/**
 * What happened around a violation: every order and line of the ledger that concerns it, and of the faults, and of the processes
 * that ended and began, the `mostOthers` that lie nearest to them.
 */
export function timelineOf(
  violation: Violation,
  { journal, ledger, mostOthers }: Witnesses & { readonly mostOthers: number },
): string[] {
  const about = new Set(violation.about.filter((word) => word !== ''));
  const concerns = (text: string): boolean => [...about].some((word) => text.includes(word));
  const lines = ledger.flatMap((line): Told[] => {
    if (line.event === 'started' || (!about.has(line.callId ?? '') && !about.has(line.to ?? ''))) return [];
    const { event, attempt, invite, how, sipStatusCode, reason, to } = line;
    const rest = [to, `attempt ${attempt ?? ''} invite ${invite ?? ''}`, how, sipStatusCode, reason];
    const text = `carrier   ${event} ${rest.filter((word) => word !== undefined).join(' ')}`;
    return [{ atMs: Date.parse(line.at), text }];
  });
  const told = ({ atMs, kind, text }: JournalEntry): Told => ({ atMs, text: `${kind.padEnd(9)} ${text}` });
  const orders = journal.entries.filter(
    ({ kind, about: subjects, text }) =>
      isAboutCalls(kind) && (subjects.some((word) => about.has(word)) || concerns(text)),
  );
  const known = lines.length === 0 ? orders : lines;
  const moments = known.length === 0 ? [violation.atMs] : known.map(({ atMs }) => atMs);
  const firstMs = Math.min(violation.atMs, ...moments) - beforeMs;
  const started = ledger.filter(({ event }) => event === 'started');
  const others = [
    ...started.map(({ at }): Told => ({ atMs: Date.parse(at), text: 'carrier   started' })),
    ...journal.entries.filter(({ kind }) => !isAboutCalls(kind)).map(told),
  ].filter(({ atMs }) => atMs >= firstMs && atMs <= violation.atMs + 2_000);
  const distanceMs = ({ atMs }: Told): number => Math.min(...moments.map((moment) => Math.abs(moment - atMs)));
  const nearest = others
    .map((each) => ({ ...each, distanceMs: distanceMs(each) }))
    .sort((a, b) => a.distanceMs - b.distanceMs)
    .slice(0, mostOthers);
  return [...shortened([...lines, ...orders.map(told)].sort(byTime)), ...nearest]
    .sort(byTime)
    .map(({ atMs, text }) => `    ${clock(atMs)} ${text}`);
}

/** Faults and processes concern everything; orders, states and lines of logs only what they name. */
const isAboutCalls = (kind: JournalEntry['kind']): boolean => !['fault', 'process'].includes(kind);

const byTime = (a: Told, b: Told): number => a.atMs - b.atMs;

/** How it began and how it ended, with a word on how much is missing in between. */
function shortened(lines: readonly Told[]): readonly Told[] {
  const missing = lines.length - mostAbout;
  if (missing <= 0) return lines;
  const [first, last] = [lines.slice(0, mostAbout / 2), lines.slice(-mostAbout / 2)];
  const atMs = first.at(-1)?.atMs ?? 0;
  return [...first, { atMs, text: `… ${missing} more orders and lines of the carrier` }, ...last];
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
  readonly aheadOfShare: number;
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
    `  a batch was ${summary.aheadOfShare} calls ahead of its share by priority, at most`,
    `  ${summary.violations.length} violations${[...rules].map(([rule, count]) => `, ${count} ${rule}`).join('')}`,
  ];
}
