import { parseSipAddress } from '../../domain/phone/sip-address.js';
import { createFindAddresses, type FindAddresses } from '../../platform/find-addresses.js';
import { mayConnectTo } from '../../platform/ip-address.js';
import { mayCallTrunk, type TrunkPlaces } from '../../platform/trunk-address.js';
import type { TrunkJudgement } from '../../telephony/trunk-judgement.js';

/** How long the result for a name is kept: a carrier's addresses change more slowly, and thousands of calls ask. */
const rememberedMs = 10_000;
/** How long it is remembered that DNS does not say what a name leads to. */
const unansweredForMs = 2_000;
const mostRemembered = 1_000;
/** Calls with their lines and agents wait for it. */
const lookup = { askAgainMs: 1_000, withinMs: 3_000 };

/** The failure after which a lookup of the same name may soon succeed. */
const passing = 'EAI_AGAIN';

interface TrunkRules extends TrunkPlaces {
  /** Replaces DNS in tests. */
  readonly findAddresses?: FindAddresses;
}

/**
 * Judges addresses of trunks by what they lead to at that moment: a name is looked up, and has to lead to allowed addresses
 * only. Ask before each call: what was judged when a gateway was made says nothing of today.
 */
export function createTrunkJudge(rules: TrunkRules): (address: string) => Promise<TrunkJudgement> {
  const { findAddresses = createFindAddresses(lookup) } = rules;
  const found = new Map<string, { until: number; readonly judgement: Promise<TrunkJudgement> }>();

  async function judgeName(host: string): Promise<TrunkJudgement> {
    try {
      const addresses = await findAddresses(host);
      const allowed = addresses.length > 0 && addresses.every(({ address }) => mayConnectTo(address, rules));
      return allowed ? 'allowed' : 'refused';
    } catch (error) {
      // A private network's names may be known only where calls are sent from.
      if (rules.allowPrivate) return 'allowed';
      const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
      return code === passing ? 'unknown' : 'refused';
    }
  }

  return async (text) => {
    const address = parseSipAddress(text);
    if (address === null || !mayCallTrunk(address.host, rules)) return 'refused';
    const host = address.host.toLowerCase().replace(/\.$/, '');
    const known = found.get(host);
    if (known !== undefined && performance.now() < known.until) return known.judgement;
    const judgement = judgeName(host);
    const entry = { until: performance.now() + rememberedMs, judgement };
    found.delete(host);
    found.set(host, entry);
    const [oldest] = found.keys();
    if (found.size > mostRemembered && oldest !== undefined) found.delete(oldest);
    if ((await judgement) === 'unknown') entry.until = performance.now() + unansweredForMs;
    return judgement;
  };
}
