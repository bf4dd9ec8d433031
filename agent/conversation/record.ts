import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/client.js';
import { type AgentLeg, storeTranscript } from '../../db/queries/calls/conversation.js';
import { closeAgentRun, openAgentRun, type RunTimings, storeTimings } from '../../db/queries/calls/agent-runs.js';
import { storeModelUsage } from '../../db/queries/calls/model-usage.js';
import type { Logger } from '../../platform/logger.js';
import type { TranscriptLine } from '../../telephony/provider.js';
import { report } from './reports.js';
import { measureTimings, type Timings } from './timings.js';
import { createTranscript, type Transcript } from './transcript.js';
import { meterUsage, type UsageMeter } from './usage.js';
import { writeBehind } from './write-behind.js';

/** Transcript, usage and timings of one agent's conversation, stored as they grow. */
export interface ConversationRecord {
  readonly transcript: Transcript;
  readonly usage: UsageMeter;
  readonly timings: Timings;
  /** Stores what is left and says that nothing more will come. Never rejects. */
  close(): Promise<void>;
}

/** How long the end is tried to be stored while the database is away: the library ends a process 15 seconds after its room is gone. */
const closeMs = 8_000;
const againMs = 500;

/**
 * @param leg null: a conversation of the playground, of which nothing is stored
 * @param run LiveKit's job, so that an agent that takes over adds to what the one before has left
 * @param said what that one has stored
 */
export function keepRecord(options: {
  readonly db: Db;
  readonly leg: AgentLeg | null;
  readonly run: string;
  readonly said: readonly TranscriptLine[];
  readonly logger: Logger;
}): ConversationRecord {
  const { db, leg, logger } = options;
  const run = leg === null ? null : { ...leg, run: options.run };
  const warn = (what: string) => (error: unknown) => logger.warn({ err: error }, what);
  const opened =
    run === null
      ? Promise.resolve()
      : openAgentRun(db, run).catch(warn('the start of an agent run could not be stored'));

  const transcript = createTranscript(
    options.said,
    async (lines) => {
      if (leg !== null) await storeTranscript(db, leg, lines);
    },
    logger,
  );
  const usage = meterUsage(async (used) => {
    if (run !== null) await storeModelUsage(db, { ...run, source: `${run.attempt}/${run.run}` }, used);
  }, logger);

  let measured: RunTimings = { answeredToSpeechMs: null, turns: [] };
  const timed = writeBehind(
    async () => {
      await opened;
      if (run !== null) await storeTimings(db, run, measured);
    },
    'the timings',
    logger,
  );
  const timings = measureTimings({
    onGreeting(ms) {
      logger.info({ answeredToSpeechMs: ms }, 'the agent speaks');
      report({ kind: 'greeting', ms });
    },
    onTurn: (ms) => report({ kind: 'turn', ms }),
    onChange(now) {
      measured = now;
      timed.changed();
    },
  });

  return {
    transcript,
    usage,
    timings,
    async close() {
      await opened;
      const untilMs = Date.now() + closeMs;
      const isStored = async (): Promise<boolean> =>
        (await Promise.all([transcript.flush(), usage.flush(), timed.flush()])).every(Boolean);
      while (!(await isStored()) && Date.now() < untilMs) await pause(againMs);
      if (run !== null) await closeAgentRun(db, run).catch(warn('the end of an agent run could not be stored'));
    },
  };
}
