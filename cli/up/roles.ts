import type { Part } from '../../embedded/supervisor.js';
import { signInFolder } from './access.js';
import { type Addresses, isLoopback } from './addresses.js';
import { rolePart } from './parts.js';
import type { LocalProvider } from './provider.js';

export interface RolesOptions {
  readonly at: Addresses;
  /** Data folder. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly encryptionKeys: string;
  readonly provider: LocalProvider;
  readonly speed: number;
  /** How long conversations may go on while the service stops, in seconds. */
  readonly drainSeconds: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const towardsThisMachine = {
  OUTDIAL_ALLOW_INSECURE_WEBHOOKS: 'true',
  OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: 'true',
  OUTDIAL_ALLOW_PRIVATE_SIP: 'true',
};

/** More than the 90 s that a dialer gives telephones that ring. */
const dialerStopsWithinMs = 100_000;
/** What an agent takes to end after its last conversation. */
const agentMarginSeconds = 45;

/** How long a service with agents may take to stop: telephones ring, then conversations end, then everything else. */
export const realCallsStopWithinMs = (drainSeconds: number): number =>
  dialerStopsWithinMs + (drainSeconds + agentMarginSeconds) * 1000 + 60_000;

/** Settings of all our own processes. Addresses of this machine are allowed only while others cannot reach the API. */
export function sharedSettings(
  options: Omit<RolesOptions, 'folder' | 'drainSeconds'>,
): Readonly<Record<string, string | undefined>> {
  const { at, provider } = options;
  const simulated = provider === 'simulator';
  return {
    // What the user has set wins over these, and loses to what follows: the parts must find each other.
    ...(simulated ? { OUTDIAL_DEFAULT_CALLS_PER_SECOND: '50' } : {}),
    OUTDIAL_PUBLIC_URL: at.apiUrl,
    // A receiver on this very machine is what one tries webhooks with. Others who reach the API must not be let further in.
    ...(isLoopback(at.host) ? towardsThisMachine : {}),
    ...options.env,
    OUTDIAL_DATABASE_URL: options.databaseUrl,
    OUTDIAL_ENCRYPTION_KEYS: options.encryptionKeys,
    OUTDIAL_PROVIDER: provider,
    OUTDIAL_SIMULATOR_URL: simulated ? at.carrierUrl : undefined,
    OUTDIAL_HOST: at.host,
    OUTDIAL_PORT: String(at.apiPort),
    TEMPORAL_ADDRESS: options.temporalAddress,
  };
}

/**
 * Our own processes with their settings.
 *
 * @returns first: what the dialer asks for at once; others: started beside each other
 */
export function roleParts(options: RolesOptions): {
  readonly first: readonly Part[];
  readonly others: readonly Part[];
} {
  const { at, provider, drainSeconds } = options;
  const shared = sharedSettings(options);
  const real = provider === 'livekit';
  const metrics = (name: 'worker' | 'dialer' | 'agent') => `http://127.0.0.1:${at.metricsPorts[name]}/healthz`;
  const role = (name: 'api' | 'worker' | 'dialer' | 'agent', readyUrl: string, stopWithinMs?: number): Part =>
    rolePart({
      name,
      args: [name],
      env: {
        ...shared,
        OUTDIAL_METRICS_PORT: String(at.metricsPorts[name]),
        ...(name === 'api' ? { OUTDIAL_SIGN_IN_FOLDER: signInFolder(options.folder) } : {}),
      },
      readyUrl,
      logFolder: at.logFolder,
      ...(stopWithinMs === undefined ? {} : { stopWithinMs }),
    });
  const agentStopsWithinMs = (drainSeconds + agentMarginSeconds) * 1000;
  return {
    first: real ? [] : [carrierPart(options, shared)],
    others: [
      role('worker', metrics('worker')),
      role('dialer', metrics('dialer'), real ? dialerStopsWithinMs : undefined),
      role('api', `${at.apiUrl}/readyz`),
      ...(real ? [role('agent', metrics('agent'), agentStopsWithinMs)] : []),
    ],
  };
}

const carrierPart = ({ at, speed }: RolesOptions, env: Readonly<Record<string, string | undefined>>): Part =>
  rolePart({
    name: 'carrier',
    args: ['simulator', ...['--port', String(at.carrierPort), '--ledger', at.carrierLedger, '--speed', String(speed)]],
    env,
    readyUrl: `${at.carrierUrl}/healthz`,
    logFolder: at.logFolder,
  });
