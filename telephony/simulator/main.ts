import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { Scenario } from './behaviour.js';
import { startSimulator } from './start.js';

/**
 * The carrier simulator as a process. Prints one JSON line when it listens; SIGTERM and SIGINT end it. Flags and number
 * scripts are in docs/simulator.md.
 */
const Flags = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(0),
  host: z.string().default('127.0.0.1'),
  ledger: z.string().min(1),
  speed: z.coerce.number().positive().default(1),
  seed: z.coerce.number().int().default(1),
  scenario: z.string().optional(),
  cps: z.coerce.number().positive().optional(),
  channels: z.coerce.number().int().min(0).optional(),
});

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    port: text,
    host: text,
    ledger: text,
    speed: text,
    seed: text,
    scenario: text,
    cps: text,
    channels: text,
  },
});
const flags = Flags.parse(values);

const simulator = await startSimulator({
  ledgerPath: flags.ledger,
  port: flags.port,
  host: flags.host,
  speed: flags.speed,
  seed: flags.seed,
  ...(flags.scenario !== undefined && { scenario: Scenario.parse(JSON.parse(await readFile(flags.scenario, 'utf8'))) }),
  ...(flags.cps !== undefined && { callsPerSecond: flags.cps }),
  ...(flags.channels !== undefined && { channels: flags.channels }),
});
process.stdout.write(
  `${JSON.stringify({ url: simulator.url, ledger: flags.ledger, pid: process.pid, speed: flags.speed, simulated: true })}\n`,
);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void simulator.stop().then(() => process.exit(0));
  });
}
