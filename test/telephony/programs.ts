import { findLiveKitServer } from '../setup/livekit-server.js';
import { findLiveKitSip } from '../setup/livekit-sip.js';
import { findProgram } from '../setup/program.js';
import { findRedis } from '../setup/redis.js';

const found = {
  LIVEKIT_SERVER_BIN: findLiveKitServer(),
  LIVEKIT_SIP_BIN: findLiveKitSip(),
  REDIS_SERVER_BIN: findRedis(),
  SIPP_BIN: findProgram('SIPP_BIN', 'sipp'),
};

const missing = Object.entries(found).flatMap(([variable, program]) => (program === undefined ? [variable] : []));

/** Whether real calls can be made here: `describe.skipIf(!canCall)(…)`. */
export const canCall = missing.length === 0;

/** For the title of a suite: what it is, and what it lacks if it is skipped. */
export const withRealCalls = (what: string): string =>
  canCall ? what : `${what} (skipped: no ${missing.join(', no ')}, nor on the PATH)`;

/** @throws if it is missing */
export function program(variable: keyof typeof found): string {
  const path = found[variable];
  if (path === undefined) throw new Error(`${variable} names no program, and none is on the PATH.`);
  return path;
}
