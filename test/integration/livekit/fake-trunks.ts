import { randomUUID } from 'node:crypto';
import type { Answer } from './twirp.js';

type Thing = Readonly<Record<string, unknown>>;
type Body = Readonly<Record<string, unknown>>;

const asThing = (value: unknown): Thing => (typeof value === 'object' && value !== null ? { ...value } : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const unavailable: Answer = { error: { status: 503, code: 'unavailable', msg: 'redis is away' } };
const missing: Answer = { error: { status: 404, code: 'not_found', msg: 'requested sip object does not exist' } };

/** What the fake keeps of inbound trunks and dispatch rules: as LiveKit does, a number has one trunk at most. */
export class FakeTrunks {
  readonly trunks = new Map<string, Thing>();
  readonly rules = new Map<string, Thing>();
  /** Names of the changing requests that were answered, in order. */
  readonly changes: string[] = [];
  private failAfter = Number.POSITIVE_INFINITY;

  /** After so many more changing requests, one is answered as when redis is away. */
  failsAfter(changes: number): void {
    this.failAfter = changes;
  }

  private save(things: Map<string, Thing>, idField: string, id: string, value: unknown): Answer {
    const thing = { ...asThing(value), [idField]: id };
    things.set(id, thing);
    return { body: thing };
  }

  private conflict(id: string, value: unknown): Answer | null {
    const numbers = asThing(value).numbers;
    const taken = [...this.trunks].find(
      ([other, trunk]) => other !== id && JSON.stringify(trunk.numbers) === JSON.stringify(numbers),
    );
    const msg = `Conflicting inbound SIP Trunks: ${id} and ${taken?.[0] ?? ''}`;
    return taken === undefined ? null : { error: { status: 400, code: 'invalid_argument', msg } };
  }

  /** undefined if the method is about something else. */
  answerTo(method: string, body: Body): Answer | undefined {
    const list = { 'SIP/ListSIPInboundTrunk': this.trunks, 'SIP/ListSIPDispatchRule': this.rules }[method];
    if (list !== undefined) return { body: { items: [...list.values()] } };
    if (!/^SIP\/(Create|Update|Delete)SIP(InboundTrunk|Trunk|DispatchRule)$/.test(method)) return undefined;
    if (this.failAfter === 0) {
      this.failAfter = Number.POSITIVE_INFINITY;
      return unavailable;
    }
    this.failAfter -= 1;
    this.changes.push(method);
    const trunkId = textOf(body.sipTrunkId);
    const ruleId = textOf(body.sipDispatchRuleId);
    switch (method) {
      case 'SIP/CreateSIPInboundTrunk': {
        const id = `ST_${randomUUID()}`;
        return this.conflict(id, body.trunk) ?? this.save(this.trunks, 'sipTrunkId', id, body.trunk);
      }
      case 'SIP/UpdateSIPInboundTrunk':
        if (!this.trunks.has(trunkId)) return missing;
        return this.conflict(trunkId, body.replace) ?? this.save(this.trunks, 'sipTrunkId', trunkId, body.replace);
      case 'SIP/CreateSIPDispatchRule':
        return this.save(this.rules, 'sipDispatchRuleId', `SDR_${randomUUID()}`, body);
      case 'SIP/UpdateSIPDispatchRule':
        return this.rules.has(ruleId) ? this.save(this.rules, 'sipDispatchRuleId', ruleId, body.replace) : missing;
      case 'SIP/DeleteSIPTrunk':
        return this.trunks.delete(trunkId) ? { body: {} } : missing;
      default:
        return this.rules.delete(ruleId) ? { body: {} } : missing;
    }
  }
}
