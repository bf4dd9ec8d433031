import type { Updateable } from 'kysely';
import { secretPlaces } from '../../domain/account/secret-places.js';
import type { Gateways } from '../../db/types.js';
import type { AppDeps } from '../operation.js';
import type { InboundSettings, OutboundSettings } from './create-body.js';
import { gatewayLimits, linesAllowed } from './problems.js';

/** A gateway's settings as its row keeps them; credentials apart. */
export function columnsOf(settings: InboundSettings | OutboundSettings, deps: AppDeps) {
  const most = gatewayLimits(deps);
  return {
    name: settings.name,
    sip_region: settings.sipRegion ?? 'auto',
    address: settings.address ?? null,
    transport: settings.transport ?? null,
    media_encryption: settings.mediaEncryption,
    allowed_addresses: settings.allowedAddresses,
    allowed_numbers: settings.allowedNumbers,
    record: settings.record,
    noise_cancellation: settings.noiseCancellation,
    enable_dtmf: settings.enableDtmf,
    metadata: JSON.stringify(settings.metadata),
    tags: settings.tags,
    ...('numberFormat' in settings
      ? {
          max_concurrent_calls: linesAllowed(settings.maxConcurrentCalls, deps),
          reserved_calls: settings.reservedCalls,
          calls_per_second:
            settings.callsPerSecond ?? Math.min(deps.env.OUTDIAL_DEFAULT_CALLS_PER_SECOND, most.callsPerSecond),
          ring_timeout_seconds: settings.ringTimeoutSeconds,
          max_call_seconds: settings.maxCallSeconds,
          from_host: settings.fromHost ?? null,
          headers: JSON.stringify(settings.headers),
          number_format: settings.numberFormat,
        }
      : {}),
  } satisfies Updateable<Gateways>;
}

/** Credentials as the row keeps them: the password sealed. */
export const credentialColumns = (
  auth: { readonly username: string; readonly password: string } | undefined,
  gateway: { readonly accountId: string; readonly id: string },
  { secretBox }: AppDeps,
) => ({
  auth_username: auth?.username ?? null,
  auth_password_sealed:
    auth === undefined
      ? null
      : secretBox.seal(auth.password, secretPlaces.gatewayPassword(gateway.accountId, gateway.id)),
});
