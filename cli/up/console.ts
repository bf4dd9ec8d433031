import { findPlace } from '../commands/place.js';
import { localAccounts, signInAddress } from './access.js';

/**
 * `outdial console`: prints an address that signs in to the console of a service on this machine, once.
 *
 * @param data value of --data
 * @throws Error with what to do if no service runs here
 */
export async function printConsoleAddress(data: string | undefined): Promise<void> {
  // A database that is configured elsewhere has no `up`.
  const env = { ...process.env, OUTDIAL_DATABASE_URL: undefined };
  const place = await findPlace(data, env, (line) => console.error(`outdial: ${line}`));
  if (place.kind !== 'running') {
    throw new Error(
      'No `outdial up` runs here: start it, or name its data folder with --data. Other installations sign in with a token.',
    );
  }
  const address = signInAddress({ folder: place.folder, apiUrl: place.ready.apiUrl }, localAccounts.user);
  if (address === undefined)
    throw new Error(`${place.folder} has no account of its own yet: start \`outdial up\` on it again.`);
  console.log(address);
}
