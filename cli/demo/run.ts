import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import closeWithGrace from 'close-with-grace';
import { readEnv } from '../../platform/env.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';
import type { DemoFlags } from '../commands/up.js';
import { goOnUnread } from '../standard-output.js';
import { localAccounts } from '../up/access.js';
import { isLoopback } from '../up/addresses.js';
import { type Ready, runningService } from '../up/ready.js';
import { type Service, startService } from '../up/service.js';
import { refuseOtherCarriers } from '../up/provider.js';
import { welcome } from '../up/welcome.js';
import { demoToken } from './account.js';
import { runMainJob } from './main-job.js';
import { showProgress } from './progress.js';
import { report } from './report.js';

/** Seen from dist/cli/demo/run.js. */
const exampleFile = fileURLToPath(new URL('../../../examples/reminders.csv', import.meta.url));
const stopWithinMs = 60_000;

/** `outdial demo`: starts the service, does the main job on a file, and prints the outcome. Exit code 0 only if all checks hold. */
export async function runDemo(flags: DemoFlags): Promise<void> {
  goOnUnread();
  refuseOtherCarriers(process.env, 'demo');
  const env = readEnv();
  const folder = resolve(flags.data ?? env.OUTDIAL_DATA);
  const file = flags.file ?? exampleFile;
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const say = (line: string) => (flags.json === true ? console.error(line) : console.log(line));

  const own: { service?: Service } = {};
  // Left to itself it would also turn the exit code of an ordinary end into 0.
  const skip = ['beforeExit' as const];
  let stays = false;
  const closing = closeWithGrace({ delay: stopWithinMs, logger: false, skip }, async () => {
    say('Stopping.');
    await own.service?.stop();
    // Its rejection is what makes the exit code 1: a demo that was interrupted has not held.
    if (!stays || process.exitCode === 1) throw new Error('interrupted');
  });
  try {
    const ready = runningService(folder) ?? (await start(flags, folder, env.OUTDIAL_HOST, say, own));
    if (ready.provider !== 'simulator') {
      throw new CommandFailed(
        exitCodes.conflict,
        `The service on ${folder} makes real calls, and the demo must not. Name another folder with --data.`,
      );
    }
    const token = await demoToken(folder, ready);
    const { outcome, problems } = await runMainJob({
      ready: { ...ready, token },
      file,
      progress: showProgress(process.stderr),
      say,
    });
    for (const line of report(outcome, problems)) say(line);
    if (flags.json === true) console.log(JSON.stringify(outcome));
    if (problems.length > 0) process.exitCode = 1;
    // A service that ran before the demo is not the demo's to stop.
    stays = flags.keep === true && own.service !== undefined;
    say(`The demo has its own account, whose token is in ${join(folder, localAccounts.demo.file)}.`);
    if (own.service !== undefined && !stays)
      say('The service stops now. `outdial demo --keep` stays up for these links.');
    if (stays)
      for (const line of welcome(ready, { folder, speed: flags.speed, account: localAccounts.demo })) say(line);
  } finally {
    if (!stays) {
      closing.uninstall();
      await own.service?.stop();
    }
  }
}

async function start(
  flags: DemoFlags,
  folder: string,
  host: string,
  say: (line: string) => void,
  own: { service?: Service },
): Promise<Ready> {
  say('Starting PostgreSQL, Temporal, the carrier simulator, api, worker and dialer.');
  const since = performance.now();
  const port = flags.port === undefined || flags.port === 0 ? {} : { port: flags.port };
  // The webhooks' receiver is on this machine: only a service that no other machine can reach delivers to it.
  const listenOn = isLoopback(host) ? host : '127.0.0.1';
  own.service = await startService({
    folder,
    host: listenOn,
    ...port,
    provider: 'simulator',
    speed: flags.speed,
    drainSeconds: 0,
    env: process.env,
    say,
  });
  say(`Ready after ${((performance.now() - since) / 1000).toFixed(1)} s.`);
  return own.service.ready;
}
