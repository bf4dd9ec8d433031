import type { PreDialLane, QuestionsUnderWay } from '../db/queries/dialer/pre-dial.js';

/** Questions under way in one process. Each keeps its recipients and what has come of the answer in memory: at most about 1 MB. */
const mostQuestions = 64;
/** Of these, what accounts have together whose endpoints were slow. */
const mostOfSlow = 32;
const mostOfAccount = 4;
const mostOfLane = 2;
const quickMs = 1_000;

export interface QuestionRoom {
  /** Whether one more question may be asked. */
  hasRoom(): boolean;
  /** Which accounts and queues may not be asked now, and how many questions each account has under way. */
  underWay(): QuestionsUnderWay;
  take(question: PreDialLane): void;
  leave(question: PreDialLane): void;
  /** Notes how long an endpoint of an account took, until it answered or was given up. */
  took(accountId: string, milliseconds: number): void;
}

/**
 * Divides the questions that a dialer may have under way among accounts, so that endpoints that hang hold up their own account only.
 * Each question that one account leaves waiting is room that others lack until its time limit, so an account is trusted as far as its
 * last question went: with one question at a time until the first has ended, with room of all if it ended within a second, and else
 * with room in the half that slow accounts share (docs/adr/0066-room-for-questions-goes-by-the-last-one.md).
 */
export function createQuestionRoom(): QuestionRoom {
  const questions = new Set<PreDialLane>();
  /** Accounts that were asked since this process began, and whether the last question of each ended soon. */
  const quick = new Map<string, boolean>();

  const countBy = (keyOf: (question: PreDialLane) => string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const question of questions) counts.set(keyOf(question), (counts.get(keyOf(question)) ?? 0) + 1);
    return counts;
  };

  function underWay(): QuestionsUnderWay {
    const accounts = countBy(({ accountId }) => accountId);
    const lanes = countBy(({ batchId, gatewayId }) => `${batchId} ${gatewayId}`);
    const slowAccounts = [...quick].flatMap(([accountId, soon]) => (soon ? [] : [accountId]));
    const ofSlow = slowAccounts.reduce((sum, accountId) => sum + (accounts.get(accountId) ?? 0), 0);
    const full = [...accounts].flatMap(([accountId, count]) =>
      count >= (quick.has(accountId) ? mostOfAccount : 1) ? [accountId] : [],
    );
    return {
      accounts,
      fullAccounts: ofSlow >= mostOfSlow ? [...new Set([...full, ...slowAccounts])] : full,
      fullLanes: [...lanes].flatMap(([lane, count]) => (count >= mostOfLane ? [lane] : [])),
    };
  }

  return {
    hasRoom: () => questions.size < mostQuestions,
    underWay,
    take: (question) => void questions.add(question),
    leave: (question) => void questions.delete(question),
    took: (accountId, milliseconds) => void quick.set(accountId, milliseconds <= quickMs),
  };
}
