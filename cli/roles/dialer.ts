import { numberTimeZones } from '../../contacts/number-time-zones.js';
import { startDialer } from '../../dialer/dialer.js';
import { keepInboundCalls } from '../../dialer/inbound-keeper.js';
import { createGuardedFetch } from '../../platform/outbound-url.js';
import { liveKitSettings } from '../../platform/livekit.js';
import { timeZonesOf } from '../../domain/phone/phone-time-zones.js';
import type { OwnLiveKits } from './own-livekit.js';
import { createProvider } from './provider.js';
import { closeOnSignal } from './role.js';
import { openRuntime } from './runtime.js';
import { openTemporal } from './temporal.js';

/** Its lease is over long before: what takes longer never ends. */
const statementTimeoutMs = 60_000;

/** A ringing leg may take 75 s to end; its SIP code would be lost with the process. */
const graceMs = 90_000;

/** `outdial dialer`: the only process that starts calls. */
export async function runDialer(): Promise<void> {
  const runtime = await openRuntime('dialer', statementTimeoutMs);
  const { env, logger, database, secretBox, metrics, tracing } = runtime;
  const regions = env.OUTDIAL_PROVIDER === 'livekit' ? liveKitSettings(env) : [];
  const carrier = await createProvider(env, { database, logger });
  async function ownLiveKits(): Promise<OwnLiveKits | null> {
    if (regions.length === 0) return null;
    return (await import('./own-livekit.js')).keepLiveKits({ regions, db: database.db, logger });
  }
  const own = await ownLiveKits();
  const provider = own === null ? carrier : own.guard(carrier);
  const temporal = openTemporal(env);
  const fetchOutside = createGuardedFetch({
    allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
    allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
  });
  const dialer = await startDialer({
    database,
    provider,
    logger,
    metrics,
    tracing,
    fetchOutside,
    agentRegions: regions.map(({ name }) => name),
    openSecret: (sealed, place) => secretBox.open(sealed, place),
    zonesOfNumber: (e164) => timeZonesOf(e164, numberTimeZones()),
    tell: async (workflowId, ended) =>
      (await temporal.workflows.signal(workflowId, 'attemptsEnded', ended)) === 'taken' ? 'taken' : 'missing',
  });
  async function keepInbound(): Promise<() => Promise<unknown>> {
    if (regions.length === 0) return () => Promise.resolve();
    const { createInboundLegs } = await import('../../telephony/livekit/inbound-legs.js');
    return keepInboundCalls({ database, logger, tracing, legs: createInboundLegs(regions) });
  }
  const closeInbound = await keepInbound();
  const closeMetrics = await runtime.announce(
    { provider: env.OUTDIAL_PROVIDER, simulated: provider.simulated },
    () => own?.trouble() ?? dialer.trouble(),
  );
  closeOnSignal(logger, graceMs, {
    database: () => database.close(),
    tracing: () => tracing.close(),
    temporal: () => temporal.close(),
    provider: () => provider.close(),
    guardedFetch: () => fetchOutside.close(),
    metrics: closeMetrics,
    inbound: closeInbound,
    ...(own === null ? {} : { liveKits: () => own.close() }),
    dialer: () => dialer.close(),
  });
}
