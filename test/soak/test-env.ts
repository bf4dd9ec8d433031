import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAccount } from '../../api/account/accounts.js';
import { openDatabase } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { type Child, startChild } from '../../embedded/child.js';
import { reservedPort } from '../../embedded/free-port.js';
import { embeddedPostgresUrl, startPostgres } from '../../embedded/postgres.js';
import { findTemporal, userBinFolder } from '../../embedded/temporal.js';
import { startTemporalServer } from '../../embedded/temporal-server.js';
import { createSecretBox } from '../../platform/secret-box.js';
import { type Disk, mountDisk } from './disk.js';
import type { Journal } from './journal.js';
import { type Link, openLink } from './link.js';
import { type Program, type ProgramKind, runProgram } from './program.js';
import { openReceiver, type Receiver } from './receiver.js';

/** What each gateway allows, and the carrier with it. */
export const limits = { callsPerSecond: 15, maxConcurrentCalls: 30 } as const;
/** Simulated seconds in a real one. */
const speed = 20;

export interface SoakEnv {
  readonly programs: readonly Program[];
  /** A link for each pair of a process and what it talks to. */
  readonly links: readonly Link[];
  readonly disk: Disk | { readonly skipped: string };
  readonly apiUrls: readonly string[];
  readonly accounts: readonly { readonly account: string; readonly token: string }[];
  readonly receiver: Receiver;
  /** Port at which the workers reach the receiver. */
  readonly receiverPort: number;
  readonly ledgerPath: string;
  readonly logFolder: string;
  /** Sets a dialer's wall clock apart from that of everything else. */
  shiftClock(dialer: string, milliseconds: number): void;
  close(): Promise<void>;
}

/** What has been started so far, to be ended whole or half. */
interface Parts {
  readonly programs: Program[];
  readonly links: Link[];
  readonly disk: SoakEnv['disk'];
  receiver: Receiver | undefined;
}

const stopOrder: readonly ProgramKind[][] = [['api'], ['dialer', 'worker'], ['carrier', 'temporal'], ['postgres']];

async function closeParts({ programs, links, disk, receiver }: Parts): Promise<void> {
  for (const kinds of stopOrder) {
    await Promise.all(programs.filter(({ kind }) => kinds.includes(kind)).map((each) => each.stop()));
  }
  await Promise.all(links.map((each) => each.close()));
  await receiver?.close();
  if (!('skipped' in disk)) disk.remove();
}

/**
 * Starts everything that the service is made of, each process by itself, with a link in front of whatever it talks to.
 * @throws if a process does not start; what had been started is ended
 */
export async function openSoakEnv(folder: string, root: string, seed: number, journal: Journal): Promise<SoakEnv> {
  const parts: Parts = { programs: [], links: [], disk: mountDisk(join(folder, 'disk')), receiver: undefined };
  try {
    return await startAll(parts, { folder, root, seed, journal });
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

async function startAll(
  parts: Parts,
  { folder, root, seed, journal }: { folder: string; root: string; seed: number; journal: Journal },
): Promise<SoakEnv> {
  const { programs, links, disk } = parts;
  const program = join(root, 'dist/cli/main.js');
  const logs = join(folder, 'logs');
  const run = async (kind: ProgramKind, name: string, start: (spawned: (child: Child) => void) => Promise<unknown>) => {
    programs.push(await runProgram({ kind, name, start, journal }));
  };
  const link = async (name: string, port: number): Promise<number> => {
    const opened = await openLink(name, port);
    links.push(opened);
    return opened.port;
  };

  const postgres = {
    folder: join(folder, 'disk/postgres'),
    port: await reservedPort(),
    logFile: join(logs, 'postgres.log'),
  };
  await run('postgres', 'postgres', async (spawned) => startPostgres({ ...postgres, durability: 'process', spawned }));
  const found = await findTemporal({ binFolder: userBinFolder() });
  if (found.kind !== 'program') throw new Error('The soak kills its Temporal server: unset TEMPORAL_ADDRESS.');
  const temporal = {
    ...{ program: found.path, port: await reservedPort() },
    ...{ databaseFile: join(folder, 'temporal.db'), logFile: join(logs, 'temporal.log') },
  };
  await run('temporal', 'temporal', async (spawned) => startTemporalServer({ ...temporal, spawned }));

  const databaseUrl = embeddedPostgresUrl(postgres.folder, postgres.port);
  const keys = `soak:${randomBytes(32).toString('base64')}`;
  const database = openDatabase({ url: databaseUrl, poolSize: 1, name: 'soak' });
  await migrate(database.pool);
  const accounts: { account: string; token: string }[] = [];
  for (const name of ['Amber', 'Birch']) {
    const made = await createAccount(database.db, createSecretBox([keys]), name);
    accounts.push({ account: made.account.id, token: made.token });
  }
  await database.close();

  const ledgerPath = join(folder, 'ledger.jsonl');
  const carrierPort = await reservedPort();
  const role = async (
    kind: ProgramKind,
    name: string,
    { args, env, preload }: { args: string[]; env: Record<string, string>; preload?: string },
  ) => {
    const options = preload === undefined ? [] : ['--import', pathToFileURL(preload).href];
    await run(kind, name, async (spawned) =>
      spawned(
        await startChild({
          command: process.execPath,
          args: [...options, program, ...args],
          env: { PATH: process.env.PATH, HOME: process.env.HOME, OUTDIAL_LOG_LEVEL: 'info', ...env },
          logFile: join(logs, `${name}.log`),
        }),
      ),
    );
  };
  const carrier = ['simulator', '--port', String(carrierPort), '--ledger', ledgerPath, '--speed', String(speed)];
  const carrierLimits = ['--cps', String(limits.callsPerSecond), '--channels', String(limits.maxConcurrentCalls)];
  await role('carrier', 'carrier', { args: [...carrier, '--seed', String(seed), ...carrierLimits], env: {} });

  const apiUrls: string[] = [];
  for (const kind of ['api', 'worker', 'dialer'] as const) {
    for (const number of [1, 2]) {
      const name = `${kind}${number}`;
      const proxied = new URL(databaseUrl);
      proxied.port = String(await link(`${name}>postgres`, postgres.port));
      const clock = join(folder, `clock-${name}`);
      const port = await reservedPort();
      const carrierLink = kind === 'dialer' ? await link(`${name}>carrier`, carrierPort) : carrierPort;
      const env = {
        OUTDIAL_DATABASE_URL: proxied.href,
        TEMPORAL_ADDRESS: `127.0.0.1:${await link(`${name}>temporal`, temporal.port)}`,
        OUTDIAL_ENCRYPTION_KEYS: keys,
        OUTDIAL_PROVIDER: 'simulator',
        OUTDIAL_SIMULATOR_URL: `http://127.0.0.1:${carrierLink}`,
        OUTDIAL_ALLOW_INSECURE_WEBHOOKS: 'true',
        OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: 'true',
        OUTDIAL_ALLOW_PRIVATE_SIP: 'true',
        OUTDIAL_PORT: String(port),
        OUTDIAL_SOAK_CLOCK: clock,
      };
      const preload = kind === 'dialer' ? { preload: join(root, 'test/soak/shift-clock.mjs') } : {};
      await role(kind, name, { args: [kind], env, ...preload });
      if (kind === 'api') apiUrls.push(`http://127.0.0.1:${await link(`customer>${name}`, port)}`);
    }
  }
  const receiver = await openReceiver();
  parts.receiver = receiver;
  const receiverPort = await link('workers>receiver', receiver.port);

  return {
    ...{ programs, links, disk, apiUrls, accounts, receiver, receiverPort, ledgerPath, logFolder: logs },
    shiftClock: (dialer, milliseconds) => writeFileSync(join(folder, `clock-${dialer}`), String(milliseconds)),
    close: async () => closeParts(parts),
  };
}
