import closeWithGrace from 'close-with-grace';
import { readEnv } from '../../platform/env.js';
import type { UpFlags } from '../commands/up.js';
import { goOnUnread } from '../standard-output.js';
import { liveKitEnvironment } from './livekit-environment.js';
import { requireStart } from './preflight.js';
import { refuseOtherCarriers } from './provider.js';
import { realCallsStopWithinMs } from './roles.js';
import { type Service, startService } from './service.js';
import { welcome } from './welcome.js';

/** Longer than the slowest part may take to stop if calls are simulated. */
const stopWithinMs = 60_000;

/** `outdial up`: the service with its embedded parts, until Ctrl-C. */
export async function runUp(flags: UpFlags): Promise<void> {
  goOnUnread();
  const { provider = 'simulator' } = flags;
  const real = provider === 'livekit';
  if (!real && flags.provider === undefined) refuseOtherCarriers(process.env, 'up');
  const source = real ? liveKitEnvironment(process.env) : process.env;
  const say = (line: string) => (flags.json === true ? console.error(line) : console.log(line));
  const { OUTDIAL_DATA } = process.env;
  const folder = flags.data ?? readEnv({ OUTDIAL_DATA }).OUTDIAL_DATA;
  if (real) await requireStart(source, folder, say);
  const env = readEnv(source);
  const port = flags.port ?? env.OUTDIAL_PORT;
  const { OUTDIAL_AGENT_DRAIN_SECONDS: drainSeconds } = env;
  const own: { service?: Service } = {};
  const delay = real ? realCallsStopWithinMs(drainSeconds) : stopWithinMs;
  closeWithGrace({ delay, logger: false, skip: ['beforeExit'] }, async ({ err, signal }) => {
    say(err === undefined ? `${signal ?? 'End'}: stopping.` : `Stopping after an error: ${err.message}`);
    if (real && own.service !== undefined) {
      say(`Nothing more is dialed; conversations end first, for up to ${drainSeconds} s. Ctrl-C again ends them now.`);
    }
    await own.service?.stop();
    say('Stopped. The data is kept.');
  });
  const service = await startService({
    folder,
    host: env.OUTDIAL_HOST,
    ...(port === 0 ? {} : { port }),
    ...{ provider, speed: flags.speed, drainSeconds },
    ...(flags.readyFile === undefined ? {} : { readyFile: flags.readyFile }),
    env: source,
    say,
  });
  own.service = service;
  for (const line of welcome(service.ready, { folder, speed: flags.speed, host: env.OUTDIAL_HOST })) say(line);
  if (flags.json === true) console.log(JSON.stringify(service.ready));
}
