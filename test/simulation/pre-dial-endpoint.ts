import { Response } from 'undici';
import type { GuardedFetch } from '../../platform/outbound-url.js';
import type { Happenings } from './happenings.js';
import { verdictOn, type PreDialJudge } from './judge-pre-dial.js';
import { preDialTimeoutMs } from './pre-dial-setting.js';
import type { Process, VirtualTime } from './time.js';

interface Question {
  readonly batchId: string;
  readonly records: readonly { readonly recordId: string; readonly phoneNumber: string; readonly attempt: number }[];
}

/** So often the endpoint is at fault; in which scenarios at its first question, depends on how many are called. */
const failsEvery = 3;

/** The endpoint of the account, which is asked before calls: what it says follows from the numbers that it is asked about. */
export interface PreDialEndpoint {
  /** The world outside as one process reaches it. */
  outsideOf(process: Process): GuardedFetch;
}

/** @param judge is told what the endpoint has said, whether it is heard or not */
export function createPreDialEndpoint(deps: {
  readonly time: VirtualTime;
  readonly happenings: Happenings;
  readonly judge: PreDialJudge;
  /** Of the setting. */
  readonly callees: number;
}): PreDialEndpoint {
  const { time, happenings, judge } = deps;
  let questions = deps.callees;

  /** What it answers; null: that it cannot. */
  function answerTo({ records }: Question): string | null {
    questions += 1;
    if (questions % failsEvery === 0) return null;
    const verdicts = records.map((record) => [
      record.recordId,
      verdictOn(record.phoneNumber, judge.timesLeftOut(record)),
    ]);
    return JSON.stringify({
      records: Object.fromEntries(
        verdicts.flatMap(([id, verdict]) =>
          verdict === 'left out' ? [] : [[id, { eligible: verdict === 'eligible' }]],
        ),
      ),
    });
  }

  function ask(process: Process, question: Question): Promise<Response> {
    return new Promise((resolve, reject) => {
      judge.asked(question);
      const limit = time.at(process, time.nowMs + preDialTimeoutMs, () =>
        reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      );
      const hear = (how: () => void): void =>
        happenings.add({
          ...{ process, what: 'answer of the pre-dial endpoint', atProcess: true },
          run: () => {
            time.remove(limit);
            how();
          },
        });
      happenings.add({
        ...{ process, what: 'ask the pre-dial endpoint', atProcess: false },
        run({ broken }) {
          if (broken === 'before') {
            hear(() => reject(new TypeError('fetch failed')));
            return;
          }
          const text = answerTo(question);
          judge.answered(question, text !== null);
          // Whoever asked hears nothing, until the time is over.
          if (broken !== null) return;
          hear(() => resolve(text === null ? new Response(null, { status: 500 }) : new Response(text)));
        },
      });
    });
  }

  return {
    outsideOf(process) {
      const asked = (_url: string, init: Parameters<GuardedFetch>[1] = {}): Promise<Response> => {
        const { body, signal } = init;
        const answer = ask(process, JSON.parse(typeof body === 'string' ? body : '{}') as Question);
        // The time limit in it is the machine's own, and has its own in `ask`.
        const closed = new Promise<never>((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            const reason: unknown = signal.reason;
            if (!(reason instanceof Error && reason.name === 'TimeoutError')) reject(new Error('closed'));
          });
        });
        return Promise.race([answer, closed]);
      };
      return Object.assign(asked, { close: () => Promise.resolve() });
    },
  };
}
