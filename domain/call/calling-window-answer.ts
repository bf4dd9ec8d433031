import { z } from 'zod';
import type { CallingWindow } from './calling-window.js';

const hours = {
  from: z.string().describe('HH:MM from which calls may start'),
  until: z.string().describe('HH:MM until which they may; before from: on the next day'),
  daysOfWeek: z.array(z.int()).describe('1 is Monday'),
  timezone: z.string().describe('IANA name, or recipient: that of each callee'),
};

const WeeklyWindow = z.object(hours);
const DatedWindow = WeeklyWindow.extend({
  except: z.array(z.string()).exactOptional().describe('Dates without an opening'),
}).meta({ id: 'CallingWindow' });

/** A calling window as answers have it, with every field set but `except`. */
export const CallingWindowAnswer = z.union([DatedWindow, z.array(DatedWindow)]).meta({ id: 'CallingWindows' });

const StoredWindow = z.union([
  z.object({ timezone: z.string(), windows: z.array(DatedWindow) }),
  z.object({ timezone: z.string(), window: DatedWindow }),
  WeeklyWindow,
]);

/** A calling window as the database has it. */
export const storedWindow = (value: unknown): CallingWindow => StoredWindow.parse(value);

/** A stored calling window as it was sent, with what it left out. */
export function windowBody(value: unknown): z.output<typeof CallingWindowAnswer> {
  const stored = StoredWindow.parse(value);
  if ('windows' in stored) return stored.windows;
  return 'window' in stored ? stored.window : stored;
}
