import { mayConnectTo } from './ip-address.js';

/** The addresses that trunks may have. */
export interface TrunkPlaces {
  /** Also loopback and private networks; never metadata services. */
  readonly allowPrivate: boolean;
}

/** Whether the host of a trunk may be called as far as its text tells. A name without a dot is one of the service's own network. */
export const mayCallTrunk = (host: string, rules: TrunkPlaces): boolean =>
  mayConnectTo(host, rules) && (rules.allowPrivate || /[.:]/.test(host.replace(/\.$/, '')));
