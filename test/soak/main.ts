import { once, setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { countOrders, evidenceOfAccount, evidenceOfBatch, evidenceOfSingle } from './books.js';
import { createFaults, type Faults } from './faults.js';
import { openFindings, textOf } from './findings.js';
import { guardThisProcess } from './guard.js';
import { createJournal, type Journal } from './journal.js';
import type { Evidence } from './judge/evidence.js';
import { judge, type Judgement } from './judge/judge.js';
import { followLedger, type LedgerFile } from './ledger-file.js';
import { noteLastWords } from './last-words.js';
import { untilWebhooks } from './last-webhooks.js';
import { type Load, openLoad } from './load.js';
import { chanceOf } from './random.js';
import { type Summary, summaryLines, timelineOf } from './report.js';
import { limits, openSoakEnv, type SoakEnv } from './test-env.js';

/** `npm run soak`; the options are in docs/reliability.md. */
const Flags = z.object({
  seed: z.coerce.number().int().min(0).default(1),
  minutes: z.coerce.number().positive().default(30),
  faults: z.coerce.number().int().min(0).default(1_000_000),
  every: z.coerce.number().positive().default(1.2),
  json: z.boolean().default(false),
  keep: z.boolean().default(false),
});
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ seed: text, minutes: text, faults: text, every: text },
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
  },
});
const flags = Flags.parse(values);

const say = (line: string): void => {
  (flags.json ? process.stderr : process.stdout).write(`${line}\n`);
};

/** After the last fault something must have come to its end within this time, again and again… */
const quietMs = 240_000;
/** …and everything within this one. */
const endWithinMs = 1_200_000;
const progressEveryMs = 10_000;
const environmentTries = 3;
/** Faults and processes in the timeline of a violation, here and in the file that CI prints at its end. */
const othersInOutput = 80;
const othersInFindings = 20;
/** A loop that stood still for longer held up what went through our links. */
const lagMs = 500;

const command = `npm run soak -- --seed ${flags.seed} --minutes ${flags.minutes} --every ${flags.every}`;
const root = join(import.meta.dirname, '../../..');
const findings = openFindings(join(root, 'test-results/soak.txt'), command);
const told = new Set<string>();

interface Soak {
  readonly testEnv: SoakEnv;
  readonly load: Load;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly ledger: LedgerFile;
}

function evidenceOf({ testEnv, load, faults, ledger }: Soak, over: boolean): Evidence {
  ledger.read();
  return {
    ledger: ledger.lines,
    accounts: load.accounts.map(evidenceOfAccount),
    batches: load.batches.map(evidenceOfBatch),
    singles: load.singles.map(evidenceOfSingle),
    webhooks: testEnv.receiver.received,
    lines: limits.maxConcurrentCalls,
    ...{ roadHeld: faults.held.road, paceHeld: faults.held.pace, over },
  };
}

/** Judges what is known so far and tells each violation once, with what led to it. */
function judgeNow(soak: Soak, over: boolean): Judgement {
  const { violations, ...figures } = judge(evidenceOf(soak, over));
  const judgement = { ...figures, violations: [...soak.load.failures, ...violations] };
  for (const violation of judgement.violations) {
    const key = `${violation.rule} ${violation.what}`;
    if (told.has(key)) continue;
    told.add(key);
    if (told.size > 40) continue; // the first ones tell what is wrong
    const headline = `VIOLATION (${violation.rule}) ${violation.what}`;
    const witnesses = { journal: soak.journal, ledger: soak.ledger.lines };
    findings.violation(headline, timelineOf(violation, { ...witnesses, mostOthers: othersInFindings }));
    say(`\n${headline}`);
    for (const line of timelineOf(violation, { ...witnesses, mostOthers: othersInOutput })) say(line);
    say(`    seed ${flags.seed}; again with: ${command}\n`);
  }
  return judgement;
}

function watchLag({ held }: Faults): NodeJS.Timeout {
  let lastMs = Date.now();
  return setInterval(() => {
    const nowMs = Date.now();
    if (nowMs - lastMs > lagMs) {
      held.road.push({ fromMs: lastMs, untilMs: nowMs });
      held.pace.push({ fromMs: lastMs, untilMs: nowMs });
    }
    lastMs = nowMs;
  }, 100);
}

const countOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, each) => sum + each, 0);

function progressLine({ load, journal, ledger, testEnv }: Soak, sinceMs: number, violations: number): string {
  const invites = ledger.lines.filter(({ event }) => event === 'invite').length;
  const ended = load.batches.filter(({ end }) => end !== undefined).length;
  const away = testEnv.programs.filter(({ state }) => state !== 'running').map(({ name, state }) => `${name} ${state}`);
  const minutes = ((Date.now() - sinceMs) / 60_000).toFixed(1);
  return (
    `${minutes} min: ${countOf(journal.faults)} faults, ${load.batches.length} batches (${ended} ended), ` +
    `${invites} INVITEs, ${violations} violations${away.length === 0 ? '' : `; ${away.join(', ')}`}`
  );
}

async function run(folder: string): Promise<Summary> {
  const journal = createJournal();
  const givenUp = new AbortController();
  const closing = new AbortController();
  // Every request and every pause listens.
  setMaxListeners(0, givenUp.signal, closing.signal);
  const testEnv = await openEnvironmentAtLast(folder, journal);
  const closeEnvironment = async () =>
    testEnv.close().catch((error: unknown) => say(`The environment did not close: ${String(error)}`));
  // Ctrl-C ends it as it is: what has happened so far is judged, what was still to come is not missed.
  const interrupt = new AbortController();
  const interrupted = once(interrupt.signal, 'abort').then(() => false);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt.abort());
  try {
    const load = await openLoad(testEnv, flags.seed, journal, givenUp.signal);
    const faults = createFaults(testEnv, chanceOf(flags.seed, 'faults'), journal);
    const soak: Soak = { testEnv, load, faults, journal, ledger: followLedger(testEnv.ledgerPath) };
    const lag = watchLag(faults);
    const sinceMs = Date.now();
    say(`Soak with seed ${flags.seed} for ${flags.minutes} minutes in ${folder}`);
    let violations = 0;
    const progress = setInterval(() => {
      violations = judgeNow(soak, false).violations.length;
      say(progressLine(soak, sinceMs, violations));
    }, progressEveryMs);

    const loading = load.run(closing.signal);
    const inflicting = faults.run(flags.every * 1000, flags.faults, closing.signal);
    await Promise.race([delay(flags.minutes * 60_000), interrupted]);
    closing.abort();
    await Promise.race([inflicting, interrupted]);
    say('No more faults; everything must come to its end now.');
    const isOver = await Promise.race([loading.then(() => true), untilNothingMoves(soak), interrupted]);
    const isWhole = !interrupt.signal.aborted;
    if (!isOver && isWhole) {
      await noteLastWords({ ...load, journal, logFolder: testEnv.logFolder });
      for (const batch of load.batches) batch.end ??= 'stuck';
      for (const single of load.singles) if (single.callId !== '') single.end ??= 'stuck';
    }
    if (!isOver) givenUp.abort();
    const { batches, customerOf } = load;
    if (isWhole) await Promise.race([untilWebhooks({ batches, customerOf, ...testEnv.receiver }), interrupted]);
    clearInterval(progress);
    clearInterval(lag);
    const judgement = judgeNow(soak, isWhole);
    const { disk } = testEnv;
    return {
      ...{ seed: flags.seed, minutes: (Date.now() - sinceMs) / 60_000 },
      ...{ faults: Object.fromEntries(journal.faults), faultsInAll: countOf(journal.faults) },
      skipped: [...('skipped' in disk ? [`disk full: ${disk.skipped}`] : []), ...faults.failures],
      ...{ batches: load.batches.length, webhooks: testEnv.receiver.received.length },
      calls: load.batches.reduce((sum, { numbers }) => sum + numbers.length, load.singles.length),
      invites: soak.ledger.lines.filter(({ event }) => event === 'invite').length,
      orders: countOrders(load.batches),
      ...judgement,
    };
  } finally {
    await closeEnvironment();
  }
}

/** Ports may be taken between their choice and their use, and a busy machine may be too slow once. */
async function openEnvironmentAtLast(folder: string, journal: Journal): Promise<SoakEnv> {
  for (let tries = 1; ; tries++) {
    try {
      return await openSoakEnv(join(folder, `environment-${tries}`), root, flags.seed, journal);
    } catch (error) {
      if (tries === environmentTries) throw error;
      say(`The environment did not open and is opened again: ${textOf(error)}`);
    }
  }
}

/** Resolves with false when nothing has come any further for a long time. */
async function untilNothingMoves({ load, ledger }: Soak): Promise<false> {
  const untilMs = Date.now() + endWithinMs;
  let [last, movedMs] = [-1, Date.now()];
  while (Date.now() < Math.min(untilMs, movedMs + quietMs)) {
    const legs = ledger.lines.filter(({ event }) => ['invite', 'rejected', 'ended'].includes(event)).length;
    const ended = [...load.batches, ...load.singles].filter(({ end }) => end !== undefined).length;
    if (legs + ended > last) [last, movedMs] = [legs + ended, Date.now()];
    await delay(2_000);
  }
  return false;
}

/** The children of this process end with it. */
function crash(error: unknown): never {
  findings.crash(error);
  say(`The soak itself has failed: ${textOf(error)}\nLogs and ledger are in ${folder}`);
  process.exit(1);
}

guardThisProcess();
const folder = mkdtempSync(join(tmpdir(), `outdial-soak-${process.pid}-`));
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
const summary = await run(folder).catch(crash);
for (const line of summaryLines(summary)) say(line);
findings.add(...summaryLines(summary));
if (flags.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
if (flags.keep || summary.violations.length > 0) say(`Logs and ledger are in ${folder}`);
else rmSync(folder, { recursive: true, force: true });
process.exitCode = summary.violations.length === 0 ? 0 : 1;
// Whatever still listens or waits has nothing more to say; what was said goes out first.
process.stdout.write('', () => process.exit());
