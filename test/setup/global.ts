import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { findTemporal, userBinFolder } from '../../embedded/temporal.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { keepTemporaryFilesInMemory } from './memory-folder.js';
import { openParts } from './parts.js';

/**
 * Vitest's global set-up: opens the door to what suites share and stops it all at the end. After Ctrl-C and after
 * kill -9 the servers end by themselves, they are tied to this process.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepTemporaryFilesInMemory();
  // Services that suites start on folders of their own would each fetch Temporal again. Suites that need it say what is wrong.
  const temporal = await findTemporal({ binFolder: userBinFolder() }).catch(() => undefined);
  if (temporal?.kind === 'program') process.env.TEMPORAL_CLI = temporal.path;
  // Services of tests are not listed among those of the user who runs the tests.
  const state = temporaryFolder('state');
  process.env.XDG_STATE_HOME = state;
  const parts = await openParts();
  project.provide('partsUrl', parts.url);
  return async () => {
    await parts.stop();
    rmSync(state, { recursive: true, force: true });
  };
}
