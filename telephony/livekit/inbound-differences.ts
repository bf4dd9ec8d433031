import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo } from '@livekit/protocol';
import type { InboundLine } from '../../domain/call/inbound-line.js';
import { dispatchRuleFor, numberOfRule, numberOfTrunk, sameRule, sameTrunk, trunkFor } from './inbound-objects.js';

/** The trunks and dispatch rules that one LiveKit has, ours and others'. */
export interface InboundObjects {
  readonly trunks: readonly SIPInboundTrunkInfo[];
  readonly rules: readonly SIPDispatchRuleInfo[];
}

/** The changes to one number's trunk and dispatch rule; an omitted one is right as it is. */
export interface LineChange {
  readonly line: InboundLine;
  /** null: there is none. */
  readonly trunkId: string | null;
  readonly ruleId: string | null;
  readonly trunk: boolean;
  readonly rule: boolean;
}

/** Lists the changes that bring a LiveKit in line with `lines`. Deletions come first: a number has one trunk at most. */
export interface InboundDifferences {
  readonly deleteRules: readonly string[];
  readonly deleteTrunks: readonly string[];
  readonly changes: readonly LineChange[];
}

/** The one to keep of each number, and the rest: a round that was lost halfway may have made one twice. */
function byNumber<T>(things: readonly T[], numberOf: (thing: T) => string | null) {
  const kept = new Map<string, T>();
  const extra: T[] = [];
  for (const thing of things) {
    const number = numberOf(thing);
    if (number === null) continue;
    if (kept.has(number)) extra.push(thing);
    else kept.set(number, thing);
  }
  return { kept, extra };
}

/**
 * Compares what is wanted of one LiveKit with what it has. Only things whose names carry our ids are looked at.
 *
 * @param lines those of the LiveKit's region, one per number
 * @param asTheyAre numbers whose things are left alone
 */
export function inboundDifferences(
  lines: readonly InboundLine[],
  objects: InboundObjects,
  asTheyAre: ReadonlySet<string> = new Set(),
): InboundDifferences {
  const wanted = new Map(lines.map((line) => [line.number, line]));
  const looked = (number: string | null) => (number === null || asTheyAre.has(number) ? null : number);
  const trunks = byNumber(objects.trunks, (trunk) => looked(numberOfTrunk(trunk)));
  const rules = byNumber(objects.rules, (rule) => looked(numberOfRule(rule)));
  const gone = <T>(kept: ReadonlyMap<string, T>): T[] =>
    [...kept].filter(([number]) => !wanted.has(number)).map(([, thing]) => thing);

  const changes = lines.map((line): LineChange => {
    const trunk = trunks.kept.get(line.number);
    const rule = rules.kept.get(line.number);
    const trunkId = trunk?.sipTrunkId ?? null;
    return {
      line,
      trunkId,
      ruleId: rule?.sipDispatchRuleId ?? null,
      trunk: trunk === undefined || !sameTrunk(trunk, trunkFor(line)),
      rule: rule === undefined || trunkId === null || !sameRule(rule, dispatchRuleFor(line, trunkId)),
    };
  });
  return {
    deleteRules: [...rules.extra, ...gone(rules.kept)].map((rule) => rule.sipDispatchRuleId),
    deleteTrunks: [...trunks.extra, ...gone(trunks.kept)].map((trunk) => trunk.sipTrunkId),
    changes: changes.filter(({ trunk, rule }) => trunk || rule),
  };
}
