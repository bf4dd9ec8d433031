import type { TestProject } from 'vitest/node';
import { openParts } from './parts.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the servers they share; see database.ts and temporal.ts beside this file. */
    partsUrl: string;
  }
}

/**
 * Vitest's global set-up: opens the door to what suites share and stops it all at the end. After Ctrl-C and after
 * kill -9 the servers end by themselves, they are tied to this process.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parts = await openParts();
  project.provide('partsUrl', parts.url);
  return () => parts.stop();
}
