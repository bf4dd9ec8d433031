import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { CallEvent, DialOrder } from '../../../telephony/provider.js';
import { built } from './carrier-process.js';

const program = `
  const [driver, url, order] = process.argv.slice(1);
  const { createSimulatorProvider } = await import(driver);
  const provider = createSimulatorProvider({ url });
  await provider.dial(JSON.parse(order), ({ type }) => console.log(type));
  console.log('over');
`;

/** Dials from a process of its own; resolves once that was told of the event. `kill` is kill -9. */
export const dialInAnotherProcess = (
  url: string,
  order: DialOrder,
  until: CallEvent['type'],
): Promise<{ kill(): Promise<void> }> =>
  dialByProgram(program, 'telephony/simulator/driver.js', [url, JSON.stringify(order)], until);

/**
 * Runs a module that dials and prints the types of the events.
 * @param driver built file that its first argument names; the others follow
 */
export async function dialByProgram(
  module: string,
  driver: string,
  parameters: readonly string[],
  until: CallEvent['type'],
): Promise<{ kill(): Promise<void> }> {
  const driverUrl = pathToFileURL(built(driver)).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', module, driverUrl, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const told of createInterface({ input: child.stdout })) if (told === until) break;
  return {
    async kill() {
      child.kill('SIGKILL');
      if (child.signalCode === null) await once(child, 'exit');
    },
  };
}
