import { pino } from 'pino';
import { startDialer, type Dialer } from '../../dialer/dialer.js';
import { asBatchStatus, isFinished } from '../../domain/batch-call.js';
import { createCarrier } from './carrier.js';
import { createHappenings, smooth, type Course, type Happening } from './happenings.js';
import { createEligibilityCheck } from './judge.js';
import { createOperator } from './operator.js';
import { numberCount, type Move, type Scenario } from './scenario.js';
import { beginningMs, createTime, settle, type Process } from './time.js';
import { createWire } from './wire.js';
import type { Stage } from './stage.js';
import { startWorkflows } from './workflows.js';
import { batchId, callIdAt, numberAt, setUp, windowClosingAfter } from './world.js';

export interface Played {
  readonly violations: readonly string[];
  /** They came about before everything had to come to its end. */
  readonly whileMoving: boolean;
  /** Steps until then. */
  readonly steps: number;
  readonly invites: number;
  readonly seconds: number;
  readonly deadlocks: number;
  /** The last things that happened, for whoever looks for the cause. */
  readonly course: readonly string[];
}

interface RunningDialer {
  readonly process: Process;
  dialer: Dialer | null;
}

/** At the end, everything that can happen does, until nothing is left to do; so many steps at most. */
const mostStepsAtEnd = 20_000;
const lookEvery = 150;
const remembered = 400;

/**
 * Plays one scenario and says what was broken.
 *
 * @param toItsEnd whether everything then has to come to its end, as nothing holds it up any more
 */
export async function play(stage: Stage, scenario: Scenario, toItsEnd = true): Promise<Played> {
  const { admin, plain } = stage;
  const { setting } = scenario;
  await admin.query(`select setval('virtual.clock', $1)`, [beginningMs * 1000]);
  await setUp(plain.db, setting, beginningMs);
  const time = createTime();
  const happenings = createHappenings();
  const state = { steps: 0, dialers: 0, orders: 0 };
  const course: string[] = [];
  const note = (words: string): void => {
    course.push(`${((time.nowMs - beginningMs) / 1000).toFixed(3)} ${words}`);
    if (course.length > remembered) course.shift();
  };
  const judge = createEligibilityCheck(setting, () => time.nowMs);
  const wire = createWire({
    ...{ admin, time, happenings, idle: stage.idle, connect: () => stage.connect() },
    observe: (_process, text, rows) => {
      if (text.includes('gate_attempts(')) judge.gated(rows, state.steps, time.nowMs);
    },
  });
  const carrier = createCarrier({
    ...{ time, happenings, fences: scenario.carrierFences },
    invited: (leg) => {
      note(`${leg.process.name}: INVITE ${leg.ref.callId.slice(-4)}/${leg.ref.attempt}/${leg.ref.invite} to ${leg.to}`);
      judge.invited(leg);
    },
    scriptFor: () => {
      const script = scenario.scripts[state.orders] ?? { kind: 'answered', ringMs: 200, talkMs: 1_000 };
      state.orders += 1;
      return script;
    },
  });
  const process = (name: string, skewMs = 0): Process => ({ name, skewMs, frozenUntilMs: 0, dead: false });

  const worker = process('worker');
  const batches = setting.batches.map((_batch, place) => batchId(place));
  const ofBatches = setting.batches.reduce((sum, { callees }) => sum + callees.length, 0);
  const singles = setting.singles.map((_callee, place) => callIdAt(ofBatches + place));
  const callIds = Array.from({ length: ofBatches + singles.length }, (_unused, place) => callIdAt(place));
  const workflows = time.inside(worker, () => startWorkflows(wire.open(worker, 6), batches, singles));
  const api = process('api');
  const operator = createOperator(wire.open(api, 6), judge, workflows, () => state.steps);

  const dialers: RunningDialer[] = [];
  function start(skewMs: number): void {
    state.dialers += 1;
    const own = process(`dialer ${state.dialers}`, skewMs);
    const running: RunningDialer = { process: own, dialer: null };
    dialers.push(running);
    time.inside(own, () => {
      const started = startDialer({
        database: wire.open(own, 6),
        provider: carrier.providerFor(own),
        openSecret: (sealed) => sealed,
        zonesOfNumber: () => ['UTC'],
        tell: (workflowId, ended) =>
          new Promise((resolve, reject) => {
            happenings.add({
              ...{ process: own, what: 'tell a workflow', atProcess: false },
              run: async ({ broken }) => {
                const answer =
                  broken === 'before' ? null : await time.inside(worker, () => workflows.tell(workflowId, ended));
                happenings.add({
                  ...{ process: own, what: 'answer of a workflow', atProcess: true },
                  run: () => {
                    if (broken !== null || answer === null) reject(new Error('Temporal is away'));
                    else resolve(answer);
                  },
                });
              },
            });
          }),
        logger: pino({ level: 'silent' }),
        leaseSeconds: scenario.leaseSeconds,
      });
      // One that cannot register itself is a process that ends.
      started.then(
        (dialer) => void (running.dialer = dialer),
        () => void end(running),
      );
    });
  }

  async function end(running: RunningDialer): Promise<void> {
    running.process.dead = true;
    dialers.splice(dialers.indexOf(running), 1);
    time.removeAllOf(running.process);
    happenings.removeAllOf(running.process);
    await wire.hangUp(running.process);
  }

  /** What can happen now: what has been sent, and timers of processes that run. */
  function possible(): Happening[] {
    // Of each process, the timer that is due first: a process fires them in their order.
    const first = new Map(time.timers.toReversed().map((timer) => [timer.process, timer]));
    const due = time.timers.filter(
      (timer) => first.get(timer.process) === timer && timer.dueMs <= time.nowMs && timer.process.frozenUntilMs === 0,
    );
    return [
      ...happenings.list.filter(({ process, atProcess }) => !atProcess || process.frozenUntilMs === 0),
      ...due.map((timer) => ({
        ...{ process: timer.process, what: 'a timer', atProcess: true },
        run: () => {
          time.remove(timer);
          timer.fire();
        },
      })),
    ];
  }

  async function happen(happening: Happening, how: Course): Promise<void> {
    state.steps += 1;
    const { process: by, what } = happening;
    if (what !== 'a timer') note(`${by.name}: ${what}${how.broken === null ? '' : `, broken ${how.broken}`}`);
    happenings.take(happening);
    await happening.run(how);
    await settle();
    if (state.steps % lookEvery === 0) await judge.look(plain.db);
  }

  /** Processes that stand still wake up when their time has come. */
  async function passTo(ms: number): Promise<void> {
    time.advanceTo(ms);
    for (const { process: own } of dialers) {
      if (own.frozenUntilMs > 0 && own.frozenUntilMs <= time.nowMs) {
        note(`${own.name} goes on`);
        own.frozenUntilMs = 0;
      }
    }
    await wire.endIdleTransactions();
  }

  function nextInstant(): number | undefined {
    const instants = [
      ...time.timers.filter((timer) => timer.process.frozenUntilMs === 0).map((timer) => timer.dueMs),
      ...dialers.flatMap(({ process: { frozenUntilMs } }) => (frozenUntilMs > 0 ? [frozenUntilMs] : [])),
    ];
    return instants.length === 0 ? undefined : Math.max(time.nowMs, Math.min(...instants));
  }

  async function flow(): Promise<void> {
    const [next] = possible();
    if (next !== undefined) return happen(next, smooth);
    const instant = nextInstant();
    if (instant !== undefined) await passTo(instant);
  }

  function order(what: string, work: () => Promise<void>): void {
    note(`api: ${what}`);
    time.inside(api, () => {
      work().then(
        () => note(`api: ${what} is answered`),
        () => note(`api: ${what} has failed`),
      );
    });
  }

  function chosen<T>(all: readonly T[], which: number): T | undefined {
    return all[which % Math.max(1, all.length)];
  }

  async function carryOut({ kind, which, how }: Move): Promise<void> {
    const batch = chosen(batches, which) ?? '';
    const running = chosen(dialers, which);
    switch (kind) {
      case 'step': {
        const next = chosen(possible(), which);
        const broken = how % 25 === 1 ? 'before' : how % 25 === 2 ? 'after' : null;
        if (next !== undefined) await happen(next, { broken, slow: how % 4 === 3 });
        else await flow();
        return;
      }
      case 'flow':
        for (let left = 1 + (how % 60); left > 0; left -= 1) await flow();
        return;
      case 'wait':
        return passTo(possible().length > 0 ? time.nowMs + 1 + (how % 30) : (nextInstant() ?? time.nowMs));
      case 'lapse':
        return passTo(time.nowMs + 50 + (how % 100) * 40);
      case 'freeze':
        if (running === undefined || running.process.frozenUntilMs > 0) return;
        running.process.frozenUntilMs = time.nowMs + 200 + (how % 100) * scenario.leaseSeconds * 20;
        note(`${running.process.name} stands still`);
        return;
      case 'kill':
        if (running === undefined) return;
        note(`${running.process.name} is killed`);
        return end(running);
      case 'stopDialer': {
        if (running === undefined || running.dialer === null) return;
        note(`${running.process.name} is told to stop`);
        const { dialer } = running;
        time.inside(running.process, () => void dialer.close().then(() => end(running)));
        return;
      }
      case 'startDialer':
        if (dialers.length < 4) start(chosen(scenario.skewsMs, how) ?? 0);
        return;
      case 'pause':
        order(`pause ${batch}`, () => operator.pause(batch));
        return;
      case 'resume':
        order(`resume ${batch}`, () => operator.resume(batch));
        return;
      case 'cancel':
        order(`cancel ${batch}`, () => operator.cancel(batch, how % 2 === 0 ? 'graceful' : 'immediate'));
        return;
      case 'optOut': {
        const e164 = numberAt(which % numberCount);
        order(`${e164} opts out`, () => operator.optOut(e164));
        return;
      }
      case 'stop':
        order('stop dialing', () => operator.stop(how % 2 === 0));
        return;
      case 'goOn':
        order('resume dialing', () => operator.goOn());
        return;
      case 'endCall': {
        const callId = chosen(callIds, which) ?? '';
        order(`end call ${callId.slice(-4)}`, () => operator.endCall(callId));
        return;
      }
      case 'moveWindow': {
        const window = how % 3 === 0 ? null : windowClosingAfter(1 + (how % 5));
        order(`move the window of ${batch}`, () => operator.moveWindow(batch, window));
        return;
      }
    }
  }

  /** Nothing holds anything up any more: everything has to come to its end. */
  async function letEnd(): Promise<void> {
    note('from here on nothing is held up');
    const enough = state.steps + mostStepsAtEnd;
    for (const { process: own } of dialers) own.frozenUntilMs = 0;
    // Dialers that die from here on leave no more behind than any other.
    if (scenario.onlyOneIsLeft) for (const running of dialers.slice(1)) await end(running);
    for (let round = 0; state.steps < enough; round += 1) {
      // What was asked for while something was under way may have been passed over.
      if (round < 4) {
        order('resume dialing', () => operator.goOn());
        for (const batch of batches) {
          order(`resume ${batch}`, () => operator.resume(batch));
          order(`lift the window of ${batch}`, () => operator.moveWindow(batch, null));
        }
      }
      if (dialers.length === 0) start(0);
      for (let left = 400; left > 0 && judge.violations.length === 0; left -= 1) await flow();
      if (judge.violations.length > 0 || (await isOver())) return;
    }
    judge.say(`not all came to an end within ${mostStepsAtEnd} steps`);
    await judge.lookAtEnd(plain.db);
  }

  async function isOver(): Promise<boolean> {
    const { rows } = await admin.query<{ open: number }>(
      `select ((select count(*) from calls where not settled) + (select count(*) from call_attempts
        where phase <> 'ended' or reported_at is null))::integer as open`,
    );
    const statuses = await plain.db.selectFrom('batches').select('status').execute();
    return rows[0]?.open === 0 && statuses.every(({ status }) => isFinished(asBatchStatus(status)));
  }

  for (const skewMs of scenario.skewsMs) start(skewMs);
  await settle();
  for (const move of scenario.moves) {
    await carryOut(move);
    await settle();
    if (judge.violations.length > 0) break;
  }
  const played = state.steps;
  const whileMoving = judge.violations.length > 0;
  if (toItsEnd && !whileMoving) {
    await letEnd();
    if (judge.violations.length === 0) await judge.lookAtEnd(plain.db);
  }
  for (const running of [...dialers]) await end(running);
  await wire.hangUp(worker);
  await wire.hangUp(api);
  return {
    ...{
      violations: judge.violations,
      whileMoving,
      steps: played,
      invites: carrier.legs.length,
      deadlocks: wire.deadlocks,
      course,
    },
    seconds: (time.nowMs - beginningMs) / 1000,
  };
}
