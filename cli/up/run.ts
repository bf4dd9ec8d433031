import closeWithGrace from 'close-with-grace';
import { readEnv } from '../../platform/env.js';
import type { UpFlags } from '../commands/up.js';
import { refuseOtherCarriers } from './simulator-only.js';
import { type Service, startService } from './service.js';
import { welcome } from './welcome.js';

/** Longer than the slowest part may take to stop. */
const stopWithinMs = 60_000;

/** `outdial up`: the service with its embedded parts, until Ctrl-C. */
export async function runUp(flags: UpFlags): Promise<void> {
  refuseOtherCarriers(process.env);
  const env = readEnv();
  const say = (line: string) => (flags.json === true ? console.error(line) : console.log(line));
  const folder = flags.data ?? env.OUTDIAL_DATA;
  const port = flags.port ?? env.OUTDIAL_PORT;
  const own: { service?: Service } = {};
  closeWithGrace({ delay: stopWithinMs, logger: false, skip: ['beforeExit'] }, async ({ err, signal }) => {
    say(err === undefined ? `${signal ?? 'End'}: stopping.` : `Stopping after an error: ${err.message}`);
    await own.service?.stop();
    say('Stopped. The data is kept.');
  });
  const service = await startService({
    folder,
    host: env.OUTDIAL_HOST,
    ...(port === 0 ? {} : { port }),
    speed: flags.speed,
    ...(flags.readyFile === undefined ? {} : { readyFile: flags.readyFile }),
    env: process.env,
    say,
  });
  own.service = service;
  for (const line of welcome(service.ready, { folder, speed: flags.speed, host: env.OUTDIAL_HOST })) say(line);
  if (flags.json === true) console.log(JSON.stringify(service.ready));
}
