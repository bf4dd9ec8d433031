import type { Command } from 'commander';
import { listAccounts } from '../../db/queries/accounts/all.js';
import { audit, type AuditReport } from '../audit/run.js';
import { sinceOf } from '../moments.js';
import { answer, type DataFlag, dataOption, withDatabase } from './open.js';

interface Flags extends DataFlag {
  readonly account?: string;
  readonly since?: Date;
  readonly json?: true;
}

const found = 1;
const couldNotRun = 2;
const dayMs = 86_400_000;

export function auditCommands(program: Command): void {
  program
    .command('audit')
    .description(
      'Compare the database with what the service promises; reads only. Exit code 0: all holds, 1: something does not, ' +
        '2: it could not be checked',
    )
    .option('--account <id>', 'only this account, acc_…')
    .option(
      '--since <time>',
      'only what was made since then: 2026-05-01, 2026-05-01T12:00:00Z, 12h or 7d',
      (text: string) => sinceOf(text, '--since'),
    )
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .action(async ({ account, since, json, ...flags }: Flags) => {
      try {
        const report = await auditOf(flags, account ?? null, since ?? null);
        answer(json, report, linesOf(report));
        process.exitCode = report.clean ? 0 : found;
      } catch (error) {
        console.error(`outdial: the audit could not run: ${error instanceof Error ? error.message : String(error)}`);
        process.exitCode = couldNotRun;
      }
    });
}

const auditOf = (flags: DataFlag, accountId: string | null, since: Date | null): Promise<AuditReport> =>
  withDatabase(flags, async ({ env, temporalBelongs, database: { db } }) => {
    if (accountId !== null && !(await listAccounts(db)).some(({ id }) => id === accountId)) {
      throw new Error(`there is no account ${accountId}`);
    }
    // Half of what loading this program takes: only this command needs it.
    const { openTemporal } = await import('../roles/temporal.js');
    const temporal = openTemporal(env);
    try {
      const days = env.OUTDIAL_RETENTION_DAYS;
      return await audit(
        db,
        { accountId, since },
        {
          deliveriesSince: days === undefined ? null : new Date(Date.now() - days * dayMs),
          isRunning:
            temporalBelongs && (await temporal.whyNot()) === null
              ? (workflowId) => temporal.isRunning(workflowId)
              : null,
        },
      );
    } catch (error) {
      throw temporal.inWords(error);
    } finally {
      await temporal.close();
    }
  });

/** The report for a person. */
function linesOf({ clean, batches, calls, seconds, invariants }: AuditReport): string[] {
  const lines = invariants.flatMap(({ holds, violations, examples, means, remedy, notAudited }) => {
    if (notAudited !== undefined) return [`?     ${holds}: not looked at, ${notAudited}.`];
    if (violations === 0) return [`ok    ${holds}.`];
    return [
      `WRONG ${holds}: not so in ${violations} ${violations === 1 ? 'case' : 'cases'}.`,
      ...examples.map(({ id, details }) => `        ${id}: ${details}`),
      ...(violations > examples.length ? [`        … and ${violations - examples.length} more`] : []),
      `      ${means}`,
      `      ${remedy}`,
    ];
  });
  const looked = `${batches} ${batches === 1 ? 'batch' : 'batches'} and ${calls} ${calls === 1 ? 'call' : 'calls'} in ${seconds} s`;
  return [...lines, '', `${clean ? 'Nothing is wrong' : 'Something is wrong'}: looked at ${looked}.`];
}
