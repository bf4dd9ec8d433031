/** Takes in who is speaking. */
export interface WakeUp {
  /** Whether the agent speaks, or is about to. */
  agent(busy: boolean): void;
  /** Whether the callee speaks. */
  callee(speaking: boolean): void;
  stop(): void;
}

/** Messages to a silent callee before the agent hangs up. */
export const mostWakeUps = 3;

/**
 * Speaks up when callee and agent have been silent for a while, and gives up after the third time that nothing came of it.
 * The callee's speech restarts the count.
 *
 * @param speak says the message; while it does, the agent reports itself busy
 */
export function createWakeUp(options: {
  readonly afterMs: number;
  readonly speak: () => void;
  readonly giveUp: () => void;
}): WakeUp {
  let [agentBusy, calleeSpeaks, stopped] = [true, false, false];
  let woken = 0;
  let timer: NodeJS.Timeout | undefined;

  function silent(): void {
    if (woken >= mostWakeUps) {
      stopped = true;
      options.giveUp();
      return;
    }
    woken += 1;
    options.speak();
    // If nothing can be said (the voice is down), the silence goes on all the same.
    restart();
  }

  function restart(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!stopped && !agentBusy && !calleeSpeaks) timer = setTimeout(silent, options.afterMs);
  }

  return {
    agent(busy) {
      if (agentBusy === busy) return;
      agentBusy = busy;
      restart();
    },
    callee(speaking) {
      if (speaking) woken = 0;
      calleeSpeaks = speaking;
      restart();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
