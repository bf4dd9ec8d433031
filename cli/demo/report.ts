import colors from 'picocolors';
import { countsOf, type Outcome } from './outcome.js';

const mostRejected = 20;
const barWidth = 40;

/** The end of a demo for a person. */
export function report(outcome: Outcome, problems: readonly string[]): string[] {
  const { batch, stats, rejectedRows, webhooks, links, seconds } = outcome;
  const counts = countsOf(stats);
  const longest = Math.max(1, ...counts.map(([, count]) => count));
  return [
    '',
    colors.bold(`${batch.batchName} is ${batch.status} after ${seconds.toFixed(1)} s`) +
      `: ${stats.total} calls in ${stats.attempts} attempts (all simulated)`,
    '',
    ...counts.map(([status, count]) => {
      const bar = '█'.repeat(Math.max(1, Math.round((count / longest) * barWidth)));
      return `  ${status.padEnd(14)}${String(count).padStart(6)}  ${status === 'answered' ? colors.green(bar) : colors.yellow(bar)}`;
    }),
    '',
    colors.bold(`Rejected rows: ${rejectedRows.length}`),
    ...rejectedRows
      .slice(0, mostRejected)
      .map(
        ({ row, value, reason, message }) =>
          `  row ${String(row).padStart(4)}  ${JSON.stringify(value ?? '').padEnd(18)}  ${reason.padEnd(15)}  ${message}`,
      ),
    ...(rejectedRows.length > mostRejected ? [`  … and ${rejectedRows.length - mostRejected} more`] : []),
    '',
    colors.bold('Webhooks received'),
    ...webhooks.map(
      ({ event, status, verified, id }) =>
        `  ${event.padEnd(20)}  ${status.padEnd(12)}  ${verified ? colors.green('signature verified') : colors.red('NOT VERIFIED')}  ${id}`,
    ),
    '',
    colors.bold('Look further'),
    ...Object.entries(links).map(([name, link]) => `  ${name.padEnd(12)}  ${link}`),
    '',
    ...(problems.length === 0
      ? [
          colors.green(
            'All of it held: every row is accounted for, both webhooks verified, no carrier limit was broken.',
          ),
        ]
      : [colors.red('This did not hold:'), ...problems.map((problem) => colors.red(`  - ${problem}`))]),
  ];
}
