import { AutoSubscribe, defineAgent, type JobContext } from '@livekit/agents';
import { RoomEvent } from '@livekit/rtc-node';
import { openDatabase } from '../db/client.js';
import { takePlaygroundTurn } from '../db/queries/agents/playground.js';
import { mostVisitors, readAgentJob } from '../domain/agent/job.js';
import { readEnv } from '../platform/env.js';
import { operatorLimitsOf } from '../platform/operator-env.js';
import { createLogger } from '../platform/logger.js';
import { createGuardedFetch } from '../platform/outbound-url.js';
import { createSecretBox } from '../platform/secret-box.js';
import { instantOfAnswer } from './conversation/answer.js';
import { watchCallee } from './conversation/callee.js';
import { answerCaller } from './conversation/caller.js';
import { converse } from './conversation/conversation.js';
import type { AgentDeps } from './conversation/deps.js';
import { endLeg } from './conversation/leg.js';
import { recordLeg } from './recording/recording.js';
import { loadCall, type LoadedConversation, loadPlayground } from './conversation/load-call.js';
import { outliveErrors } from './conversation/outlive.js';
import { watchLag } from './worker/pulse.js';
import { report } from './conversation/reports.js';

/** One conversation reads and writes little, and hundreds of these processes share the database. */
const connections = 2;
/** A callee waits for the first of them. */
const statementTimeoutMs = 10_000;

function openDeps(): AgentDeps {
  const env = readEnv();
  const logger = createLogger('agent', env.OUTDIAL_LOG_LEVEL);
  return {
    env,
    logger,
    database: openDatabase({
      url: env.OUTDIAL_DATABASE_URL,
      poolSize: connections,
      statementTimeoutMs,
      name: 'agent',
      operatorLimits: operatorLimitsOf(env),
      onIdleError: (error) => logger.warn({ err: error.message }, 'an idle database connection broke'),
    }),
    secretBox: createSecretBox(env.OUTDIAL_ENCRYPTION_KEYS),
    fetchOutside: createGuardedFetch({
      allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
      allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
    }),
  };
}

let opened: AgentDeps | undefined;
/** One per process, and a process has one job. */
const processDeps = (): AgentDeps => (opened ??= openDeps());

/** Runs once; later calls get the same promise. */
async function connect(context: JobContext): Promise<void> {
  if (!context.room.isConnected) await context.connect(undefined, AutoSubscribe.AUDIO_ONLY);
}

async function load(deps: AgentDeps, context: JobContext): Promise<LoadedConversation | null> {
  const job = readAgentJob(context.job.metadata);
  const room = context.job.room?.name ?? '';
  switch (job?.kind) {
    case 'call':
      return loadCall(deps, job.callId, room);
    case 'inbound': {
      await connect(context);
      const answered = await answerCaller(deps, context.room, job.ruleId);
      return answered === null ? null : loadCall(deps, answered.callId, room, answered.identity);
    }
    case 'playground':
      return loadPlayground(deps, job, room);
    default:
      throw new Error('the job is none that this worker knows');
  }
}

/** Not the whole leg: it has the callee's number. */
const idsOfLeg = ({ accountId, batchId, callId, attempt, invite }: NonNullable<LoadedConversation['leg']>) => ({
  accountId,
  ...(batchId === null ? {} : { batchId }),
  ...{ callId, attempt, invite },
});

async function serve(context: JobContext): Promise<void> {
  const base = processDeps();
  const roomName = context.job.room?.name ?? '';
  const ofRoom = { ...base, logger: base.logger.child({ room: roomName }) };
  outliveErrors(ofRoom.logger);
  const loaded = await load(ofRoom, context);
  if (loaded === null) {
    ofRoom.logger.info('the call was over before its agent came, or is not in this database');
    return;
  }
  const { leg, plan, identity } = loaded;
  const logger = ofRoom.logger.child(leg === null ? { accountId: loaded.accountId } : idsOfLeg(leg));
  const deps = { ...ofRoom, logger };
  // Visitors of the playground are not among the calls that slots are counted against.
  if (leg === null) {
    report({ kind: 'over' });
    // Its connection holds it for as long as this process lives.
    if ((await takePlaygroundTurn(deps.database.pool, loaded.accountId, mostVisitors)) === null) {
      logger.info('the account has as many conversations in the playground as it may: a visitor is sent away');
      await endLeg({ leg, room: roomName, identity, deps }, 'too_many');
      return;
    }
  }
  if (plan.missing.length > 0) logger.warn({ placeholders: plan.missing }, 'placeholders without a value stay empty');
  logger.info({ pid: process.pid, language: plan.language }, 'a conversation begins');
  await connect(context);
  context.room.on(RoomEvent.ParticipantDisconnected, (who) => {
    if (who.identity === identity) report({ kind: 'over' });
  });
  // A room that the call has alone is deleted with it.
  context.room.on(RoomEvent.Disconnected, () => report({ kind: 'over' }));
  const { db } = deps.database;
  const callee = watchCallee(context.room, identity);
  void callee.answered.then((isAnswered) => {
    if (isAnswered) report({ kind: 'answered' });
  });
  const answeredAt = instantOfAnswer({ callee, leg, known: loaded.answeredAt, db, logger });
  const recording =
    leg !== null && loaded.record
      ? recordLeg({ room: context.room, identity, leg: { ...leg, run: context.job.id }, answeredAt, db, logger })
      : Promise.resolve();
  const { maxSeconds } = loaded;
  const timeOver = (): void => void endLeg({ leg, room: roomName, identity, deps }, 'time_over');
  const limit = maxSeconds === null ? undefined : setTimeout(timeOver, maxSeconds * 1000);
  try {
    await converse(context, loaded, answeredAt, deps);
  } catch (error) {
    // A callee must not listen to nothing.
    logger.error({ err: error }, 'the conversation failed');
    report({ kind: 'failed' });
    await endLeg({ leg, room: roomName, identity, deps }, 'agent_failed');
  } finally {
    clearTimeout(limit);
  }
  await recording;
}

/** What LiveKit Agents runs, by entry.ts, in the process of each conversation. */
export default defineAgent({
  prewarm: async () => {
    await processDeps()
      .database.pool.query('select 1')
      .catch(() => undefined);
    report({ kind: 'warm' });
  },
  entry: async (context) => {
    report({ kind: 'busy', job: context.job.id });
    const endLag = watchLag((ms) => report({ kind: 'lag', ms }));
    try {
      await serve(context);
    } catch (error) {
      processDeps().logger.error({ err: error }, 'the agent could not serve a job');
    } finally {
      endLag();
      report({ kind: 'over' });
      context.shutdown('the conversation is over');
    }
  },
});
