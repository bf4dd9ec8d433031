import { llm, voice } from '@livekit/agents';
import type { AnsweredBy } from '../../domain/call/call.js';
import type { VoicemailPlan } from '../../domain/session-plan/types.js';
import type { Logger } from '../../platform/logger.js';
import type { CallControl } from './call-control.js';
import { buildLlm, buildStt, type ModelAccess } from '../models/models.js';

/**
 * Finds out, beside the greeting, whether a machine has answered, and does what the config says.
 *
 * @param noted stores who answered
 */
export async function listenForVoicemail(options: {
  readonly session: voice.AgentSession;
  readonly plan: VoicemailPlan;
  readonly identity: string;
  readonly access: ModelAccess;
  readonly call: CallControl;
  readonly logger: Logger;
  readonly noted: (answeredBy: AnsweredBy) => Promise<void>;
}): Promise<void> {
  const { session, plan, call, logger } = options;
  const vad = session.vad;
  // The models belong to the agent; the detector would look for them in the session.
  const own = session.currentAgent.llm;
  try {
    const judges =
      plan.judges === null || vad === undefined
        ? { llm: own instanceof llm.LLM ? own : null, stt: null }
        : { llm: buildLlm([plan.judges.llm], options.access), stt: buildStt([plan.judges.stt], options.access, vad) };
    const detector = new voice.AMD(session, {
      ...judges,
      interruptOnMachine: plan.action !== 'ignore',
      participantIdentity: options.identity,
      suppressCompatibilityWarning: true,
    });
    const closed = (): void => void detector.aclose();
    call.over.addEventListener('abort', closed, { once: true });
    const verdict = detector.execute();
    // It would hold the greeting back until it has judged; a person would hear silence meanwhile.
    session.resumeReplyAuthorization();
    const { category, isMachine } = await verdict;
    call.over.removeEventListener('abort', closed);
    await detector.aclose();
    logger.info({ category }, 'the voicemail check has decided who answered');
    if (category === voice.AMDCategory.UNCERTAIN || call.over.aborted) return;
    // A mailbox gets its message although the database is away.
    await options
      .noted(isMachine ? 'machine' : 'human')
      .catch((error: unknown) => logger.warn({ err: error }, 'who answered could not be stored'));
    if (!isMachine || plan.action === 'ignore') return;
    // It reaches nobody and takes no message.
    if (category === voice.AMDCategory.MACHINE_UNAVAILABLE) {
      await call.hangUp('announcement');
      return;
    }
    const isLeft = plan.action === 'message' && plan.message !== null && (await call.say(plan.message, false));
    await call.hangUp(isLeft ? 'voicemail_message_left' : 'voicemail');
  } catch (error) {
    if (!call.over.aborted) logger.warn({ err: error }, 'the voicemail check failed');
  }
}
