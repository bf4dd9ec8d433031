import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import {
  batchIs,
  mostOfLongMs,
  csv,
  type LedgerLine,
  numbersWithScript,
  processesOn,
  runService,
  type RunningService,
  setUp,
  until,
} from './running-service.js';

const outdial = join(import.meta.dirname, '../../dist/cli/main.js');

/** A backup as a snapshot of the disk makes it: the files of one moment, in which every process of the database stands still. */
function backUp(service: RunningService, to: string): void {
  const { postgres } = service.ready().pids;
  process.kill(postgres, 'SIGSTOP');
  const children = execFileSync('pgrep', ['-P', String(postgres)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);
  for (const pid of children) process.kill(pid, 'SIGSTOP');
  execFileSync('cp', ['-a', join(service.folder, 'postgres'), to]);
  for (const pid of [...children, postgres]) process.kill(pid, 'SIGCONT');
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, 'cluster', name), { force: true });
}

const invitesPerNumber = (ledger: readonly LedgerLine[]): Map<string, number> => {
  const invites = new Map<string, number>();
  for (const { event, to = '' } of ledger) if (event === 'invite') invites.set(to, (invites.get(to) ?? 0) + 1);
  return invites;
};

test('a backup of the middle of a batch, restored into a new cluster with a new Temporal, calls nobody twice and loses no one', async () => {
  const first = await runService({ speed: 20 });
  const { phoneNumber } = await setUp(first);
  const numbers = [...numbersWithScript(0, 60, 1_000), ...numbersWithScript(7, 60, 2_000)];
  const { body } = await first.createBatch(
    { name: 'people.csv', content: csv(numbers) },
    { name: 'Restored', phoneNumber },
  );
  const invited = () => invitesPerNumber(first.ledger());
  await until(() => invited().size >= 20);
  const backups = temporaryFolder('backup');
  const backup = join(backups, 'postgres');
  backUp(first, backup);
  const atBackup = invited().size;
  await until(() => invited().size >= atBackup + 20);
  await first.killEverything();
  const stoppedAt = new Date().toISOString();
  const dialedByFirst = invited();
  expect(dialedByFirst.size).toBeLessThan(numbers.length);

  /** The backup in a folder of its own, with the keys and the carrier, which went on; Temporal begins anew. */
  const restore = (): string => {
    const folder = temporaryFolder('restored');
    execFileSync('cp', ['-a', backup, join(folder, 'postgres')]);
    for (const name of ['encryption-keys', 'access.json', 'carrier-ledger.jsonl']) {
      execFileSync('cp', ['-a', join(first.folder, name), folder]);
    }
    return folder;
  };
  const run = (folder: string, ...args: string[]) =>
    execFileSync(process.execPath, [outdial, ...args, '--data', folder, '--json'], { encoding: 'utf8' });
  const goOn = async (folder: string) => {
    const service = await runService({ folder, speed: 20 });
    await batchIs(service, body.batchId, 'completed', mostOfLongMs);
    const invites = invitesPerNumber(service.ledger());
    const { body: stats } = await service.request('GET', `/v1/batch-calls/${String(body.batchId)}/stats`);
    const records = await service.request('GET', `/v1/batch-calls/${String(body.batchId)}/records?perPage=100`);
    const { violations } = await service.stats();
    const report = JSON.parse(run(folder, 'audit')) as { clean: boolean };
    await service.stop();
    expect(processesOn(folder)).toEqual([]);
    return { invites, stats, records: records.body, violations, clean: report.clean, service };
  };

  // By the carrier's ledger: exactly those that it has seen are not called again.
  const ledger = join(backups, 'dialed.csv');
  writeFileSync(ledger, ['called,at', ...[...dialedByFirst.keys()].map((number) => `${number},today`)].join('\n'));
  const byLedger = restore();
  const foretold = run(byLedger, 'restored', '--stopped-at', stoppedAt, '--dialed', ledger, '--dry-run');
  const marked = run(byLedger, 'restored', '--stopped-at', stoppedAt, '--dialed', ledger);
  expect(JSON.parse(marked)).toEqual({ ...JSON.parse(foretold), dryRun: false });
  expect(JSON.parse(run(byLedger, 'restored', '--stopped-at', stoppedAt, '--dialed', ledger))).toMatchObject({
    total: 0,
  });
  const exact = await goOn(byLedger);
  expect([...exact.invites.keys()].sort()).toEqual(numbers.toSorted());
  expect([...exact.invites].filter(([, count]) => count > 1)).toEqual([]);
  expect(exact).toMatchObject({ clean: true, stats: { total: 120, pending: 0, dialing: 0 } });
  exact.service.removeData();

  // By time alone: whoever was due is not called, and is named.
  const byTime = restore();
  run(byTime, 'restored', '--stopped-at', stoppedAt);
  const cautious = await goOn(byTime);
  expect([...cautious.invites].filter(([, count]) => count > 1)).toEqual([]);
  expect(cautious.invites.size).toBe(dialedByFirst.size);
  expect(cautious).toMatchObject({ clean: true, stats: { total: 120, pending: 0, dialing: 0 } });
  cautious.service.removeData();
  first.removeData();
  rmSync(backups, { recursive: true });
});
