import type { WakeUpPlan } from '../../domain/session-plan/types.js';
import type { CallControl } from './call-control.js';
import { createWakeUp, type WakeUp } from './wake-up.js';

/** Watches for silence by the rule of the language that is spoken. */
export interface Silence extends WakeUp {
  /** The rule from now on; null: silence has no effect. */
  begin(rule: WakeUpPlan | null): void;
}

export function watchSilence(call: CallControl): Silence {
  let wakeUp: WakeUp | null = null;
  return {
    begin(rule) {
      wakeUp?.stop();
      wakeUp =
        rule === null
          ? null
          : createWakeUp({
              afterMs: rule.afterMs,
              speak: () => void call.say(rule.message, true),
              giveUp: () => void call.hangUp('callee_silent'),
            });
    },
    agent: (busy) => wakeUp?.agent(busy),
    callee: (speaking) => wakeUp?.callee(speaking),
    stop: () => wakeUp?.stop(),
  };
}
