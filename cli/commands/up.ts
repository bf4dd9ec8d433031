import { Argument, type Command, Option } from 'commander';
import { wrongUsage } from '../client/exit-codes.js';
import type { LogFlags } from '../client/logs.js';
import { numberBetween, port, speed } from './numbers.js';

export interface UpFlags {
  readonly provider?: (typeof providers)[number];
  readonly port?: number;
  readonly data?: string;
  readonly readyFile?: string;
  readonly speed: number;
  readonly json?: true;
}

export interface DemoFlags {
  readonly port?: number;
  readonly data?: string;
  readonly file?: string;
  readonly speed: number;
  readonly keep?: true;
  readonly json?: true;
}

const simulatedSpeed = 20;
/** As of cli/up/provider.ts, whose code is loaded only where it runs. */
const providers = ['simulator', 'livekit'] as const;

interface ConsoleFlags {
  readonly data?: string;
}

export function localCommands(program: Command): void {
  program
    .command('up')
    .description(
      'Run the whole service on this machine, with embedded PostgreSQL and Temporal; calls are simulated, or real with --provider livekit',
    )
    .addOption(
      new Option(
        '--provider <name>',
        'livekit makes real calls: needs LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET and keys of models, and says what is missing',
      )
        .choices(providers)
        .default(undefined, 'simulator'),
    )
    .option('--port <n>', 'port of the API (default: OUTDIAL_PORT, else 8080; 0 picks a free one)', port)
    .option('--data <folder>', 'where everything is kept (default: OUTDIAL_DATA, else .outdial)')
    .option('--ready-file <file>', 'JSON file written when the service is ready: addresses, token, pids')
    .option(
      '--speed <factor>',
      'how many times faster than real time the simulated carrier runs',
      speed,
      simulatedSpeed,
    )
    .option('--json', 'print what --ready-file holds when ready, everything else to standard error')
    .action(async (flags: UpFlags, command: Command) => {
      if (flags.provider === 'livekit' && command.getOptionValueSource('speed') === 'cli') {
        throw wrongUsage('--speed is of the simulated carrier: real calls take the time that they take.');
      }
      await (await import('../up/run.js')).runUp(flags);
    });
  program
    .command('console')
    .description('Print an address that signs in to the console of the `outdial up` of this machine, once')
    .option(
      '--data <folder>',
      'data folder of that `outdial up` (default: OUTDIAL_DATA, else .outdial here, else the one that runs)',
    )
    .action(async ({ data }: ConsoleFlags) => (await import('../up/console.js')).printConsoleAddress(data));
  program
    .command('logs')
    .addArgument(new Argument('[parts...]', 'api, worker, dialer, agent, carrier, postgres, temporal (default: all)'))
    .option('--data <folder>', 'data folder of the `outdial up` (default: as for `console`)')
    .option('-n, --lines <n>', 'how many lines', numberBetween(0, 1_000_000), 50)
    .option('-f, --follow', 'go on with what is logged from now on')
    .addOption(
      new Option('--level <level>', 'only lines of this level or above').choices(['debug', 'info', 'warn', 'error']),
    )
    .option('--json', 'print the lines as they were logged')
    .description('Print what the parts of an `outdial up` have logged, in one order')
    .action(async (parts: string[], flags: LogFlags) => (await import('../client/logs.js')).printLogs(parts, flags));
  program
    .command('demo')
    .description('Run the service and, on it, a batch of simulated calls from a file to the verified webhook')
    .option('--file <file>', 'your own .csv, .xls or .xlsx file (default: examples/reminders.csv)')
    .option('--keep', 'stay up afterwards')
    .option('--port <n>', 'port of the API (default: a free one)', port)
    .option('--data <folder>', 'where everything is kept (default: OUTDIAL_DATA, else .outdial)')
    .option(
      '--speed <factor>',
      'how many times faster than real time the simulated carrier runs',
      speed,
      simulatedSpeed,
    )
    .option('--json', 'print one JSON object at the end, everything else to standard error')
    .action(async (flags: DemoFlags) => (await import('../demo/run.js')).runDemo(flags));
}
