import { readFile } from 'node:fs/promises';
import { createLogger } from '../../platform/logger.js';
import { Scenario } from '../../telephony/simulator/behaviour.js';
import { startSimulator } from '../../telephony/simulator/start.js';
import { closeOnSignal } from './role.js';

export interface SimulatorFlags {
  readonly port: number;
  readonly host: string;
  readonly ledger: string;
  readonly speed: number;
  readonly seed: number;
  readonly scenario?: string;
  readonly cps?: number;
  readonly channels?: number;
}

/** `outdial simulator`: the simulated carrier as a separate process. */
export async function runSimulator(flags: SimulatorFlags): Promise<void> {
  const logger = createLogger('simulator', process.env.OUTDIAL_LOG_LEVEL ?? 'info');
  const scenario =
    flags.scenario === undefined ? undefined : Scenario.parse(JSON.parse(await readFile(flags.scenario, 'utf8')));
  const simulator = await startSimulator({
    ledgerPath: flags.ledger,
    port: flags.port,
    host: flags.host,
    speed: flags.speed,
    seed: flags.seed,
    ...(scenario === undefined ? {} : { scenario }),
    ...(flags.cps === undefined ? {} : { callsPerSecond: flags.cps }),
    ...(flags.channels === undefined ? {} : { channels: flags.channels }),
  });
  closeOnSignal(logger, 5_000, { simulator: () => simulator.stop() });
  logger.info({ url: simulator.url, ledger: flags.ledger, speed: flags.speed, simulated: true }, 'simulator ready');
}
