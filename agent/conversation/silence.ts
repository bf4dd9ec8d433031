import type { WakeUpPlan } from '../../domain/session-plan/types.js';
import type { Line } from '../models/line.js';
import { createWakeUp, type WakeUp } from './wake-up.js';

/** Watches for silence by the rule of the language that is spoken. */
export interface Silence extends WakeUp {
  /** The rule from now on; null: silence has no effect. */
  begin(rule: WakeUpPlan | null): void;
}

export function watchSilence(line: Line): Silence {
  let wakeUp: WakeUp | null = null;
  return {
    begin(rule) {
      wakeUp?.stop();
      wakeUp =
        rule === null
          ? null
          : createWakeUp({
              afterMs: rule.afterMs,
              speak: () => void line.say(rule.message, true),
              giveUp: () => void line.hangUp('callee_silent'),
            });
    },
    agent: (busy) => wakeUp?.agent(busy),
    callee: (speaking) => wakeUp?.callee(speaking),
    stop: () => wakeUp?.stop(),
  };
}
