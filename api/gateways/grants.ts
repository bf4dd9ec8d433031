import type { WantedGrants } from '../../domain/account/grants.js';
import type { InboundSettings, OutboundSettings } from './create-body.js';

type Settings = Pick<InboundSettings | OutboundSettings, 'numbers' | 'address'> &
  Partial<Pick<OutboundSettings, 'fromHost' | 'headers'>>;

/** What an account has to have been granted for these settings of a gateway; fields that are omitted need nothing. */
export function wantedGrants({ numbers, address, fromHost, headers }: Partial<Settings>): WantedGrants {
  return {
    numbers: numbers ?? [],
    hosts: [address, fromHost].filter((host) => host !== undefined),
    headers: headers ?? {},
  };
}
