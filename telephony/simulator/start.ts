import type { AddressInfo } from 'node:net';
import type { z } from 'zod';
import { type Scenario, Scenario as ScenarioSchema } from './behaviour.js';
import { createCarrier } from './carrier.js';
import { createHttpServer } from './http.js';
import { type LedgerLine, openLedger } from './ledger.js';
import { rememberLedger } from './memory.js';
import { createTally } from './tally.js';
import { createTrunks } from './trunks.js';

export interface SimulatorOptions {
  /** Path of the append-only ledger; made if missing, continued if it is there. */
  readonly ledgerPath: string;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Simulated seconds that pass in one real second; 1 by default. Rate limits stay in real seconds. */
  readonly speed?: number;
  /** Same seed, same ringing and talking times for the same numbers. */
  readonly seed?: number;
  readonly scenario?: z.input<typeof ScenarioSchema>;
  /** Limits of every trunk that POST /faults gives no own; none by default. */
  readonly callsPerSecond?: number;
  readonly channels?: number;
}

export interface Simulator {
  readonly url: string;
  readonly port: number;
  /** Ends at once, as a crash would: live legs are not ended in the ledger before the next start. */
  stop(): Promise<void>;
}

/**
 * Starts the simulated carrier in this process: reads the ledger of earlier runs, ends what they left live, listens.
 *
 * @throws if the ledger cannot be opened or the port is taken
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, speed = 1, seed = 1, callsPerSecond, channels } = options;
  const scenario: Scenario = ScenarioSchema.parse(options.scenario ?? {});
  const ledger = await openLedger(options.ledgerPath);
  const tally = createTally();
  const at = new Date().toISOString();
  const memory = await rememberLedger(ledger, at, (line) => tally.count(line));
  const started: LedgerLine = { at, event: 'started', speed, simulated: true };
  ledger.append(started);

  const trunks = createTrunks({
    ...(callsPerSecond !== undefined && { callsPerSecond }),
    ...(channels !== undefined && { channels }),
  });
  const carrier = createCarrier({ ledger, memory, tally, trunks, seed, speed, scenario });
  const stats = (): object => ({
    simulated: true,
    speed,
    seed,
    startedAt: at,
    ledger: ledger.path,
    live: carrier.live(),
    ...tally.all,
    gateways: Object.fromEntries(
      trunks.ids().map((id) => {
        const { live, peakLive } = trunks.of(id);
        return [id, { live, peakLive, ...tally.of(id), faults: trunks.faultsOf(id) }];
      }),
    ),
  });
  const server = createHttpServer({ carrier, ledger, stats, setFaults: (faults) => trunks.set(faults) });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 4096 }, resolve);
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    async stop() {
      carrier.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await ledger.close();
    },
  };
}
