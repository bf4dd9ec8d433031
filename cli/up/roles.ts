import type { Part } from '../../embedded/supervisor.js';
import { signInFolder } from './access.js';
import { type Addresses, isLoopback } from './addresses.js';
import { rolePart } from './parts.js';

export interface RolesOptions {
  readonly at: Addresses;
  /** Data folder. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly encryptionKeys: string;
  readonly speed: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const towardsThisMachine = {
  OUTDIAL_ALLOW_INSECURE_WEBHOOKS: 'true',
  OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: 'true',
  OUTDIAL_ALLOW_PRIVATE_SIP: 'true',
};

/** Settings of all our own processes. Addresses of this machine are allowed only while others cannot reach the API. */
export function sharedSettings(options: Omit<RolesOptions, 'folder'>): Readonly<Record<string, string | undefined>> {
  const { at } = options;
  return {
    // What the user has set wins over these, and loses to what follows: the parts must find each other.
    OUTDIAL_DEFAULT_CALLS_PER_SECOND: '50',
    OUTDIAL_PUBLIC_URL: at.apiUrl,
    // A receiver on this very machine is what one tries webhooks with. Others who reach the API must not be let further in.
    ...(isLoopback(at.host) ? towardsThisMachine : {}),
    ...options.env,
    OUTDIAL_DATABASE_URL: options.databaseUrl,
    OUTDIAL_ENCRYPTION_KEYS: options.encryptionKeys,
    OUTDIAL_PROVIDER: 'simulator',
    OUTDIAL_SIMULATOR_URL: at.carrierUrl,
    OUTDIAL_HOST: at.host,
    OUTDIAL_PORT: String(at.apiPort),
    TEMPORAL_ADDRESS: options.temporalAddress,
  };
}

/** Our own processes with their settings, the carrier first: the dialer asks for it at once. */
export function roleParts(options: RolesOptions): { readonly carrier: Part; readonly others: readonly Part[] } {
  const { at } = options;
  const shared = sharedSettings(options);
  const role = (name: 'api' | 'worker' | 'dialer', readyUrl: string): Part =>
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
    });
  const metrics = (name: 'worker' | 'dialer') => `http://127.0.0.1:${at.metricsPorts[name]}/healthz`;
  return {
    carrier: rolePart({
      name: 'carrier',
      args: [
        'simulator',
        ...['--port', String(at.carrierPort), '--ledger', at.carrierLedger, '--speed', String(options.speed)],
      ],
      env: shared,
      readyUrl: `${at.carrierUrl}/healthz`,
      logFolder: at.logFolder,
    }),
    others: [role('worker', metrics('worker')), role('dialer', metrics('dialer')), role('api', `${at.apiUrl}/readyz`)],
  };
}
