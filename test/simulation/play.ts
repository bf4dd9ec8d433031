import { agentSlots } from '../../db/queries/dialer/agent-slots.js';
import { asBatchStatus, isFinished } from '../../domain/batch/batch-call.js';
import { createCarrier } from './carrier.js';
import { createDialers } from './dialers.js';
import { createEngine } from './engine.js';
import { createHappenings } from './happenings.js';
import { createJudge } from './judge.js';
import { unlimited } from './judge-numbers.js';
import { unguarded } from './judge-hours.js';
import { createMoves } from './moves.js';
import { createOperator } from './operator.js';
import { createPreDialEndpoint } from './pre-dial-endpoint.js';
import type { Scenario } from './scenario.js';
import { createTime, settle, type Process } from './time.js';
import { createWire } from './wire.js';
import type { Stage } from './stage.js';
import { startWorkflows } from './workflows.js';
import { batchId, beginningOf, region, setUp } from './setting.js';

export interface Played {
  readonly violations: readonly string[];
  /** They came about before everything had to come to its end. */
  readonly whileMoving: boolean;
  /** Steps until then. */
  readonly steps: number;
  readonly invites: number;
  readonly seconds: number;
  readonly deadlocks: number;
  /** The last things that happened, to find the cause by. */
  readonly course: readonly string[];
}

/**
 * At the end, everything that can happen does, until nothing is left to do; so many steps at most. Each INVITE whose answer was lost
 * takes a line for 65 s, while up to four dialers look for work every second.
 */
const mostStepsAtEnd = 80_000;
const lookEvery = 40;
const remembered = 400;

/**
 * Plays one scenario and says what was broken.
 *
 * @param toItsEnd whether everything then has to come to its end, as nothing holds it up any more
 */
export async function play(stage: Stage, scenario: Scenario, toItsEnd = true): Promise<Played> {
  const beginningMs = beginningOf(scenario.setting);
  await stage.admin.query(`select setval('virtual.clock', $1)`, [beginningMs * 1000]);
  await stage.empty();
  await setUp(stage.plain.db, scenario.setting, beginningMs);
  const simulation = createSimulation(stage, scenario, beginningMs);
  const { violations, steps } = simulation;
  try {
    await simulation.move();
    const [whileMoving, played] = [violations.length > 0, steps()];
    if (toItsEnd && !whileMoving) await simulation.letEnd();
    return { violations, whileMoving, steps: played, ...simulation.figures() };
  } finally {
    await simulation.close();
  }
}

const processNamed = (name: string): Process => ({ name, skewMs: 0, frozenUntilMs: 0, dead: false });

/** All that takes part in a scenario, put together. */
function createSimulation(stage: Stage, scenario: Scenario, beginningMs: number) {
  const { setting } = scenario;
  const { db } = stage.plain;
  const time = createTime(beginningMs);
  const happenings = createHappenings();
  const course: string[] = [];
  const note = (words: string): void => {
    course.push(`${((time.nowMs - beginningMs) / 1000).toFixed(3)} ${words}`);
    if (course.length > remembered) course.shift();
  };
  const judge = createJudge(setting, () => time.nowMs);
  const steps = (): number => engine.steps;
  const wire = createWire({
    ...{ admin: stage.admin, time, happenings, idle: stage.idle, connect: () => stage.connect(), step: steps },
    rewrite: stage.broken.rewrite,
    observe({ text, params }, rows, arrived) {
      if (text.includes('gate_attempts(')) judge.gated(rows, steps(), time.nowMs);
      if (text.includes('pace_attempts(')) judge.paced(rows, time.nowMs, Number(params.at(-1)));
      if (text.includes('claim_attempts(')) judge.claimed(rows, arrived);
    },
  });
  const engine = createEngine({
    ...{ time, happenings, wire, note, processes: () => dialers.running.map(({ process }) => process) },
    async look(step) {
      await judge.lookAtClaims(db);
      await judge.lookAtGate(db);
      if (step % lookEvery === 0) await judge.look(db);
    },
  });
  let orders = 0;
  const carrier = createCarrier({
    ...{ time, happenings, fences: scenario.carrierFences },
    invited(leg) {
      note(`${leg.process.name}: INVITE ${leg.ref.callId.slice(-4)}/${leg.ref.attempt}/${leg.ref.invite} to ${leg.to}`);
      judge.invited(leg);
    },
    scriptFor() {
      const script = scenario.scripts[orders] ?? { kind: 'answered', ringMs: 200, talkMs: 1_000 };
      orders += 1;
      return script;
    },
    async prepare({ callId, attempt }, process) {
      if (setting.agents === null) return;
      const own = prepared.get(process) ?? wire.open(process, 2);
      prepared.set(process, own);
      const { slots, wanted } = await agentSlots(own.db, { callId, attempt }, region, [region, 'auto']);
      if (wanted > slots) throw new Error('all agents are taken');
    },
  });
  const prepared = new Map<Process, ReturnType<typeof wire.open>>();

  const [worker, api] = [processNamed('worker'), processNamed('api')];
  const batches = setting.batches.map((_batch, place) => batchId(place));
  const { calls } = judge.recipients;
  const singles = calls.flatMap(({ batch, callId }) => (batch === null ? [callId] : []));
  const succeed = new Set(batches.filter((_batch, place) => setting.batches[place]?.stopAfterSuccess !== null));
  const workflows = time.inside(worker, () =>
    startWorkflows(wire.open(worker, 6), { time, worker }, batches, singles, succeed),
  );
  const operator = createOperator({
    database: wire.open(api, 6),
    judge,
    workflows,
    step: steps,
    nowMs: () => time.nowMs,
  });
  const dialers = createDialers({
    ...{ time, happenings, wire, carrier, worker, workflows, leaseSeconds: scenario.leaseSeconds },
    ...{ agents: setting.agents !== null, startDialer: stage.broken.startDialer },
    endpoint: createPreDialEndpoint({ time, happenings, judge: judge.preDial, callees: calls.length }),
  });

  function order(what: string, work: () => Promise<void>): void {
    note(`api: ${what}`);
    time.inside(api, () => {
      work().then(
        () => note(`api: ${what} is answered`),
        (error: unknown) => note(`api: ${what} has failed: ${String(error)}`),
      );
    });
  }
  const moves = createMoves({
    scenario,
    time,
    engine,
    dialers,
    operator,
    order,
    note,
    batches,
    numbers: judge.numbers.all,
    calls,
    legs: carrier.legs,
  });

  /** What holds dialing up is taken back. What was asked for while something was under way may have been passed over. */
  function orderAllOn(): void {
    order('resume dialing', () => operator.goOn());
    order('end the suspension', () => operator.unsuspend());
    order('no hours and no number of attempts a day', () => operator.guard(unguarded));
    // If half of an earlier announcement was lost, they count as gone, and nothing is dialed.
    const { agents } = setting;
    if (agents !== null) order('agents are there', () => operator.agents(agents));
    for (const number of judge.numbers.all) {
      if (judge.numbers.isLimited(number.e164))
        order(`no limits of ${number.e164}`, () => operator.limitNumber(number, unlimited));
    }
    for (const batch of batches) {
      order(`resume ${batch}`, () => operator.resume(batch));
      order(`close ${batch}`, () => operator.recipients.close(batch));
      order(`lift the window of ${batch}`, () => operator.moveWindow(batch, null));
    }
  }

  async function isOver(): Promise<boolean> {
    const { rows } = await stage.admin.query<{ open: number }>(
      `select ((select count(*) from calls where not settled) + (select count(*) from call_attempts
        where phase <> 'ended' or reported_at is null))::integer as open`,
    );
    const statuses = await db.selectFrom('batches').select('status').execute();
    return rows[0]?.open === 0 && statuses.every(({ status }) => isFinished(asBatchStatus(status)));
  }

  return {
    violations: judge.violations,
    steps,
    figures: () => ({
      ...{ invites: carrier.legs.length, seconds: (time.nowMs - beginningMs) / 1000 },
      ...{ deadlocks: wire.deadlocks, course },
    }),

    async move(): Promise<void> {
      for (const skewMs of scenario.skewsMs) dialers.start(skewMs);
      await settle();
      for (const move of scenario.moves) {
        await moves.carryOut(move);
        await settle();
        if (judge.violations.length > 0) return;
      }
    },

    /** Nothing holds anything up any more: everything has to come to its end. */
    async letEnd(): Promise<void> {
      note('from here on nothing is held up');
      const enough = steps() + mostStepsAtEnd;
      for (const { process } of dialers.running) process.frozenUntilMs = 0;
      // Dialers that die from here on leave no more behind than any other.
      if (scenario.onlyOneIsLeft) for (const running of dialers.running.slice(1)) await dialers.kill(running);
      for (let round = 0; steps() < enough; round += 1) {
        if (round < 4) orderAllOn();
        if (dialers.running.length === 0) dialers.start(0);
        for (let left = 400; left > 0 && judge.violations.length === 0; left -= 1) await engine.flow();
        if (judge.violations.length > 0) return;
        if (await isOver()) return judge.lookAtEnd(db);
      }
      judge.say(`not all came to an end within ${mostStepsAtEnd} steps`);
      await judge.lookAtEnd(db);
    },

    async close(): Promise<void> {
      for (const running of [...dialers.running]) await dialers.kill(running);
      await wire.hangUp(worker);
      await wire.hangUp(api);
      await wire.close();
    },
  };
}
