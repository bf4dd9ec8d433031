import { type Behaviour, behaviourOf, type Scenario } from './behaviour.js';
import { attemptKey, type Memory } from './memory.js';
import { faultBehaviour, limitRefusal, type LimitBroken } from './trunk.js';
import type { Trunks } from './trunks.js';
import type { LegOrder } from './wire.js';

/**
 * Decides what the far end does with an INVITE: a broken limit comes before the trunk's faults, and those before the
 * number's script.
 *
 * @returns `endedFor` if the ledger should say why the trunk or the script ends it; see `memory.ts`
 */
export function chooseBehaviour(
  order: LegOrder,
  broken: LimitBroken | null,
  { memory, trunks, seed, scenario }: { memory: Memory; trunks: Trunks; seed: number; scenario: Scenario },
): { behaviour: Behaviour; endedFor?: string } {
  if (broken) {
    const refused = { kind: 'refuse', ringAfterSeconds: null, refuseAfterSeconds: 0 } as const;
    return { behaviour: { ...refused, ...limitRefusal[broken] }, endedFor: broken };
  }
  const faults = trunks.faultsOf(order.gatewayId);
  const fault = faultBehaviour(faults);
  if (fault) return { behaviour: fault };

  const unavailableBefore = memory.unavailable.has(attemptKey(order));
  const behaviour = behaviourOf({ to: order.to, attempt: order.attempt, unavailableBefore }, seed, scenario);
  if (behaviour.kind === 'answer' && faults.agentMissing) {
    const { ringAfterSeconds, answerAfterSeconds } = behaviour;
    return { behaviour: { kind: 'agent_missing', ringAfterSeconds, answerAfterSeconds } };
  }
  if (behaviour.kind === 'refuse' && behaviour.sipStatusCode === 503 && !unavailableBefore) {
    memory.unavailable.add(attemptKey(order));
    return { behaviour, endedFor: 'scripted_unavailable' };
  }
  return { behaviour };
}
