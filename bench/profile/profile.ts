import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedPostgresUrl } from '../../embedded/postgres.js';
import type { RunningService } from '../service.js';
import { historyReport } from './histories.js';
import { processorReport, profilesWritten, toggleProfiles } from './processor.js';
import { watchStatements } from './statements.js';

/**
 * Watches what a run of the service spends its time on.
 *
 * @param folder where the profiles and reports go: `processor.txt`, `statements.txt`, `histories.txt`, and a `.cpuprofile` of each
 *   thread, for the developer tools of a browser
 * @returns ends the watch and writes what was seen, for so many calls
 * @throws if `service` was not started to be profiled, or a process doesn't write its profile in time
 */
export async function watchProfile(
  { ready, data }: RunningService,
  folder: string,
): Promise<(calls: number) => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  const { api, worker, dialer, carrier } = ready.pids;
  const pids = [api, worker, dialer, ...(carrier === null ? [] : [carrier])];
  const ownerUrl = embeddedPostgresUrl(join(data, 'postgres'), ready.postgresPort);
  const statements = await watchStatements(ownerUrl, join(data, 'logs', 'postgres.log'));
  const since = new Date();
  toggleProfiles(pids);
  return async (calls) => {
    toggleProfiles(pids);
    const write = (name: string, text: string) => writeFileSync(join(folder, name), `${text}\n`);
    write('statements.txt', await statements(calls));
    await profilesWritten(folder, pids);
    write('processor.txt', processorReport(folder, pids));
    write('histories.txt', await historyReport(ready.temporalAddress, since, calls));
  };
}
