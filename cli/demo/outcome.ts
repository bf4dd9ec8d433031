import type { Batch, CallRecord, CarrierStats, RejectedRow, Stats } from './shapes.js';
import type { ReceivedWebhook } from './webhook-receiver.js';

/** What the demo knows of a batch after its end. */
export interface Outcome {
  readonly batch: Batch;
  readonly stats: Stats;
  /** The first `mostRecords` of them. */
  readonly records: readonly CallRecord[];
  readonly rejectedRows: readonly RejectedRow[];
  readonly webhooks: readonly ReceivedWebhook[];
  readonly links: Readonly<Record<string, string>>;
  readonly seconds: number;
}

export const mostRecords = 1_000;

const recordStatuses = [
  'answered',
  'not-answered',
  'rejected',
  'missed',
  'failed',
  'abandoned',
  'cancelled',
  'retrying',
  'dialing',
  'in-progress',
  'pending',
] as const;

/** How many calls have each status; a status without calls is omitted. */
export function countsOf(stats: Readonly<Record<string, unknown>>): (readonly [status: string, count: number])[] {
  return recordStatuses.flatMap((status) => {
    const count = stats[status];
    return typeof count === 'number' && count > 0 ? [[status, count] as const] : [];
  });
}

const settled: readonly string[] = recordStatuses.slice(0, 7);

export const settledOf = (stats: Readonly<Record<string, unknown>>): number =>
  countsOf(stats).reduce((sum, [status, count]) => (settled.includes(status) ? sum + count : sum), 0);

/**
 * Lists what should hold after any batch and does not; empty if all is well.
 * @param carrier the carrier's own counts before and after the batch
 */
export function whatDidNotHold(
  { batch, stats, records, webhooks }: Outcome,
  carrier: { readonly before: CarrierStats; readonly after: CarrierStats },
): string[] {
  const sum = countsOf(stats).reduce((total, [, count]) => total + count, 0);
  const violations = Object.entries(carrier.after.violations).map(
    ([kind, count]) => [kind, count - (carrier.before.violations[kind] ?? 0)] as const,
  );
  const sent = carrier.after.invites - carrier.before.invites;
  const checks: readonly (readonly [held: boolean, problem: string])[] = [
    [batch.status === 'completed', `the batch is ${batch.status}: ${batch.parseError ?? 'not completed'}`],
    [batch.simulated === true, 'the batch does not say that it was simulated'],
    [
      sum === stats.total && settledOf(stats) === stats.total && stats.total === batch.recordsUploaded,
      `of ${batch.recordsUploaded} rows to call, the counts show ${settledOf(stats)} finished and ${sum} in all`,
    ],
    [
      records.length === Math.min(stats.total, mostRecords),
      `there are ${records.length} records of ${stats.total} calls`,
    ],
    [sent >= stats.attempts, `the carrier saw ${sent} INVITEs, the records count ${stats.attempts} attempts`],
    ...['batchcall-started', 'batchcall-completed'].map((event): readonly [boolean, string] => {
      const came = webhooks.filter((webhook) => webhook.event === event);
      const problem = `${event} came ${came.length} times, ${came.filter(({ verified }) => verified).length} of them verified`;
      return [came.length === 1 && came.every(({ verified }) => verified), problem];
    }),
    ...violations.map(([kind, count]): readonly [boolean, string] => [
      count === 0,
      `the carrier counted ${count} violations: ${kind}`,
    ]),
  ];
  return checks.filter(([held]) => !held).map(([, problem]) => problem);
}
