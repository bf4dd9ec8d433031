import type { Command } from 'commander';
import type { SimulatorFlags } from '../roles/simulator.js';
import { agentCommand } from './agent.js';
import { numberBetween, port, speed } from './numbers.js';
import { apiCommand } from './request.js';

/** The processes of an installation. Each role's code is loaded only where it runs. */
export function roleCommands(program: Command): void {
  apiCommand(program);
  program
    .command('worker')
    .description('Run a Temporal worker: workflows and activities')
    .action(async () => (await import('../roles/worker.js')).runWorker());
  program
    .command('dialer')
    .description('Run a dialer: the only process that starts calls')
    .action(async () => (await import('../roles/dialer.js')).runDialer());
  agentCommand(program);
  program
    .command('simulator')
    .description('Run the simulated carrier; it reaches no telephone network')
    .option('--port <n>', 'port to listen on; 0 picks a free one', port, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .requiredOption('--ledger <file>', 'append-only ledger of every INVITE')
    .option('--speed <factor>', 'how many times faster than real time it runs', speed, 1)
    .option('--seed <n>', 'same seed, same ringing and talking times', numberBetween(0, 2 ** 31), 1)
    .option('--scenario <file>', 'JSON file that says what given numbers do')
    .option('--cps <n>', 'calls per second that every trunk allows', numberBetween(0.1, 100_000, false))
    .option('--channels <n>', 'calls at once that every trunk allows', numberBetween(0, 100_000))
    .action(async (flags: SimulatorFlags) => (await import('../roles/simulator.js')).runSimulator(flags));
}
