import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../db/client.js';
import {
  type AskedAttempt,
  dropQuestion,
  endpointAnswered,
  endpointFailed,
  type PreDialQuestion,
  takeQuestion,
} from '../db/queries/dialer/pre-dial.js';
import {
  type ClearedAttempt,
  clearAttempts,
  postponeAttempts,
  type ZonesOf,
} from '../db/queries/dialer/pre-dial-answers.js';
import type { UndialedAttempt } from '../db/queries/dialer/settle-undialed.js';
import { secretPlaces } from '../domain/account/secret-places.js';
import {
  largestAnswerBytes,
  mergedMetadata,
  mostAskedAtOnce,
  pauseAfterFailures,
  type PreDial,
  type PreDialVerdict,
  questionBody,
  readPreDialAnswer,
} from '../domain/batch/pre-dial.js';
import type { EndReason } from '../domain/call/end-reasons.js';
import { canonicalZone } from '../domain/call/time-zone.js';
import { formatId } from '../domain/ids.js';
import type { Logger } from '../platform/logger.js';
import { type GuardedFetch, outboundFailureWords } from '../platform/outbound-url.js';
import { withTimeLimit } from '../platform/time-limit.js';
import type { ZonesOfNumber } from './eligibility.js';
import { idsOfSeveral } from './log-ids.js';
import type { DialerMetrics } from './metrics.js';
import type { OpenSecret } from './order.js';
import { createQuestionRoom } from './question-room.js';

/** Of an endpoint's failure, what is kept for its account. */
const longestError = 300;

export interface PreDialAsker {
  /** Asks whatever is due, as far as there is room; the answers come later. */
  ask(): Promise<void>;
  /** Ends the questions under way: who was asked about is asked about again by others. */
  close(): Promise<void>;
}

export interface PreDialDeps {
  readonly db: Db;
  readonly fetchOutside: GuardedFetch;
  readonly openSecret: OpenSecret;
  readonly zonesOfNumber: ZonesOfNumber;
  /** Settles and defers those in the queue who may not be dialed now. @returns the others */
  readonly judgeQueued: (attempts: readonly AskedAttempt[]) => Promise<AskedAttempt[]>;
  readonly settle: (attempts: readonly UndialedAttempt[], reason: EndReason) => Promise<void>;
  /** The gateways have something to dial. */
  readonly wake: (gatewayIds: readonly string[]) => void;
  /** There is room for another question. */
  readonly onRoom: () => void;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
}

/** What an endpoint said: verdicts in the order of those who were asked about, or why there are none. `unsent`: nothing could be signed. */
type Answer =
  { readonly verdicts: readonly PreDialVerdict[] } | { readonly problem: string; readonly unsent?: boolean };

/**
 * Skipping is for endpoints that fail. This process may only lack a key that others have, while keys are being changed: those who could
 * not be asked about wait, and are asked about by the process that can.
 */
const neverSkipping = (question: PreDialQuestion): PreDialQuestion =>
  question.preDial.onError === 'skip' ? { ...question, preDial: { ...question.preDial, onError: 'wait' } } : question;

/**
 * Asks the endpoints of clients about recipients just before they are dialed. Nobody is claimed meanwhile: a question holds no line, no
 * agent and no claim, and the queue's other batches go on. Questions are rows with a time limit, so that what a dialer that died has asked
 * is asked again by another one (docs/adr/0039-recipients-are-asked-about-before-they-are-claimed.md).
 */
export function createPreDialAsker(deps: PreDialDeps): PreDialAsker {
  const underWay = new Set<Promise<void>>();
  const room = createQuestionRoom();
  const closing = new AbortController();
  const zonesOf: ZonesOf = (named, phoneNumber) => {
    const zone = canonicalZone(named.trim());
    return zone === null ? deps.zonesOfNumber(phoneNumber) : [zone];
  };

  async function ask(): Promise<void> {
    while (!closing.signal.aborted && room.hasRoom()) {
      const taken = await takeQuestion(deps.db, uuidv7(), mostAskedAtOnce, room.underWay());
      if (taken === 'nothing') return;
      if (taken === 'none') continue;
      room.take(taken);
      const done = settleQuestion(taken)
        .catch((error: unknown) =>
          deps.logger.error(
            { err: error, accountId: taken.accountId, batchId: taken.batchId, ...idsOfSeveral(taken.asked) },
            'the answer of a pre-dial endpoint could not be stored; it is asked again',
          ),
        )
        .finally(() => {
          underWay.delete(done);
          room.leave(taken);
          deps.onRoom();
        });
      underWay.add(done);
    }
  }

  async function settleQuestion(question: PreDialQuestion): Promise<void> {
    const inQueue = question.notToCall.map(({ callId, attempt }) => ({ callId, attempt, claimId: null }));
    if (inQueue.length > 0) await deps.settle(inQueue, 'do_not_call');
    const asked = await deps.judgeQueued(question.asked);
    if (asked.length === 0) {
      // The head of the queue has moved on: the claim has to look at it again.
      await dropQuestion(deps.db, question.questionId);
      deps.wake([question.gatewayId]);
      return;
    }
    const answer = await answerOf(question, asked);
    if (closing.signal.aborted) await dropQuestion(deps.db, question.questionId);
    else await act(question, asked, answer);
    deps.wake([question.gatewayId]);
  }

  async function answerOf(question: PreDialQuestion, asked: readonly AskedAttempt[]): Promise<Answer> {
    const { preDial, batchId, accountId } = question;
    const body = JSON.stringify(questionBody(batchId, asked));
    const headers = signedHeaders(question, body, new Date());
    if (headers === null) {
      return { problem: 'the webhook secret cannot be read, so nothing was sent; rotate it', unsent: true };
    }
    const began = performance.now();
    const said = await askEndpoint(preDial, body, headers).catch((error: unknown) => ({
      problem:
        error instanceof Error && error.name === 'TimeoutError'
          ? `no answer within ${preDial.timeoutMs} ms`
          : outboundFailureWords(error),
    }));
    const recordIds = asked.map(({ callId }) => formatId('record', callId));
    const tookMs = performance.now() - began;
    room.took(accountId, tookMs);
    const answer = 'text' in said ? readPreDialAnswer(said.text, recordIds) : said;
    const outcome = 'problem' in answer ? 'failed' : 'answered';
    deps.metrics.preDialSeconds.observe({ outcome }, tookMs / 1000);
    if ('problem' in answer) {
      const { problem } = answer;
      deps.logger.warn(
        { accountId, batchId, ...idsOfSeveral(asked), problem },
        'a pre-dial endpoint gave no usable answer',
      );
    }
    return answer;
  }

  async function askEndpoint(
    { url, timeoutMs }: PreDial,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly text: string } | { readonly problem: string }> {
    const signal = withTimeLimit(closing.signal, timeoutMs);
    const response = await deps.fetchOutside(url, { method: 'POST', headers, body, signal });
    if (!response.ok) {
      await response.body?.cancel();
      return { problem: `the endpoint answered with status ${response.status}` };
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    const parts: AsyncIterable<Uint8Array> | readonly Uint8Array[] = response.body ?? [];
    for await (const chunk of parts) {
      size += chunk.length;
      if (size > largestAnswerBytes) return { problem: `the answer has more than ${largestAnswerBytes / 1024} KB` };
      chunks.push(chunk);
    }
    return { text: Buffer.concat(chunks).toString('utf8') };
  }

  /** Signed as webhooks are; null if no secret can be opened. */
  function signedHeaders(question: PreDialQuestion, body: string, at: Date) {
    const { accountId, questionId, secretSealed, previousSecretSealed } = question;
    const signatures = [secretSealed, previousSecretSealed].flatMap((sealed) => {
      if (sealed === null) return [];
      try {
        const secret = deps.openSecret(sealed, secretPlaces.webhookSecret(accountId));
        return [new Webhook(secret).sign(questionId, at, body)];
      } catch (error) {
        deps.logger.error({ err: error, accountId }, 'the webhook secret of an account cannot be read');
        return [];
      }
    });
    if (signatures.length === 0) return null;
    return {
      'content-type': 'application/json',
      'user-agent': 'Outdial-Webhooks/1',
      'webhook-id': questionId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
  }

  async function act(question: PreDialQuestion, asked: readonly AskedAttempt[], answer: Answer): Promise<void> {
    if ('problem' in answer) {
      return actWithout(answer.unsent === true ? neverSkipping(question) : question, asked, answer.problem);
    }
    const unusable: AskedAttempt[] = [];
    const { questionId } = question;
    const refused: UndialedAttempt[] = [];
    const cleared: ClearedAttempt[] = [];
    let why = 'the metadata has too many names or is too large';
    asked.forEach((attempt, place) => {
      const verdict = answer.verdicts[place];
      const key = { callId: attempt.callId, attempt: attempt.attempt };
      if (verdict?.kind === 'refused')
        refused.push({ ...key, claimId: null, questionId, preDialReason: verdict.reason });
      else if (verdict?.kind === 'cleared') {
        const metadata = verdict.metadata === null ? null : mergedMetadata(attempt.metadataJson, verdict.metadata);
        if (metadata === 'too_large') unusable.push(attempt);
        else cleared.push({ ...key, metadata });
      } else {
        unusable.push(attempt);
        if (verdict !== undefined) why = verdict.why;
      }
    });
    if (refused.length > 0) await deps.settle(refused, 'pre_dial_refused');
    const unfit = await clearAttempts(deps.db, question, questionId, cleared, zonesOf);
    unusable.push(...asked.filter(({ callId }) => unfit.has(callId)));
    if ([...unfit.values()].includes('unknown_zone')) why = 'timezone in the metadata is no IANA time zone name';
    if (unusable.length === asked.length) return actWithout(question, unusable, why);
    if (unusable.length > 0) {
      const { accountId, batchId } = question;
      deps.logger.warn({ accountId, batchId, ...idsOfSeveral(unusable), why }, 'a pre-dial endpoint left some out');
      await actOnError(question, unusable);
    }
    await endpointAnswered(deps.db, question);
  }

  /** The endpoint said nothing usable of anybody: it is asked again after a pause, unless they are called all the same. */
  async function actWithout(question: PreDialQuestion, asked: readonly AskedAttempt[], problem: string): Promise<void> {
    const { preDial, questionId } = question;
    if (preDial.onError !== 'wait') await actOnError(question, asked);
    await dropQuestion(deps.db, questionId);
    const pauseSeconds = preDial.onError === 'dial' ? () => 0 : pauseAfterFailures;
    await endpointFailed(deps.db, question, problem.slice(0, longestError), pauseSeconds);
  }

  /** What the batch says is done about recipients of whom its endpoint said nothing usable. */
  async function actOnError(question: PreDialQuestion, attempts: readonly AskedAttempt[]): Promise<void> {
    const { preDial, questionId } = question;
    const keys = attempts.map(({ callId, attempt }) => ({ callId, attempt }));
    if (preDial.onError === 'wait') await postponeAttempts(deps.db, questionId, keys);
    else if (preDial.onError === 'dial') {
      const asTheyAre = keys.map((key) => ({ ...key, metadata: null }));
      await clearAttempts(deps.db, question, questionId, asTheyAre, zonesOf);
    } else {
      const undialed = keys.map((key) => ({ ...key, claimId: null, questionId }));
      await deps.settle(undialed, 'pre_dial_unanswered');
    }
    await dropQuestion(deps.db, questionId);
  }

  return {
    ask,
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}
