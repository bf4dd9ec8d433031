/**
 * Loaded before a dialer (`node --import`): moves its wall clock by what the file OUTDIAL_SOAK_CLOCK holds, in
 * milliseconds, looked at four times a second. Clocks that only run forward (`performance.now`) and timers stay as they
 * are, as on a machine whose clock is set.
 */
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const path = process.env.OUTDIAL_SOAK_CLOCK;
const RealDate = Date;
let shiftMs = 0;

function look() {
  try {
    shiftMs = Number(readFileSync(path, 'utf8')) || 0;
  } catch {
    shiftMs = 0;
  }
}

class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
}

if (path !== undefined) {
  look();
  setInterval(look, 250).unref();
  globalThis.Date = ShiftedDate;
}
