/** How often a leg is looked at, and how long things may take; milliseconds. */
export interface LegTiming {
  /** Between two looks at a leg that is not answered. */
  readonly pollMs: number;
  /** Between two looks at one that is, if no webhook calls for one earlier. */
  readonly truthMs: number;
  /** Between two looks while something is being waited for: an agent, the end of a leg that was hung up. */
  readonly hurryMs: number;
  /** How long a callee may wait for an agent. */
  readonly agentLimitMs: number;
  /** How long a participant must be gone that LiveKit may have back. */
  readonly goneForMs: number;
  /** How long a participant must stay away if LiveKit says that no LiveKit SIP took the order. */
  readonly absentForMs: number;
  /** How long LiveKit's webhook is waited for if it alone knows whether the phone rang. */
  readonly hintMs: number;
}

export const defaultTiming: LegTiming = {
  pollMs: 500,
  truthMs: 15_000,
  hurryMs: 150,
  agentLimitMs: 2_000,
  goneForMs: 10_000,
  absentForMs: 1_500,
  hintMs: 2_000,
};
