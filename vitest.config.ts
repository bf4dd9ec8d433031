import { existsSync } from 'node:fs';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { soon } from './test/setup/soon.js';

// The voice agent's packages are its own; where they are missing, test/integration/agent-package.test.ts says so.
const agentTests = existsSync('agent/node_modules/@livekit/agents') ? ['agent/test/**/*.test.ts'] : [];

/** Small files that leave nothing behind. One process runs many of them, so that it loads the code once. */
const small = ['test/{unit,property,statements,security,integration/dialer}/**/*.test.ts'];
const onApi = ['test/api/**/*.test.ts'];

/** Conversations in real time: where the processor is busy, they are heard as broken. */
const inRealTime = ['test/{telephony,browser}/**/*.test.ts', ...agentTests];

const projects: readonly NonNullable<TestProjectInlineConfiguration['test']>[] = [
  { name: 'small', include: small, isolate: false },
  { name: 'api', include: onApi, setupFiles: ['test/api/hooks.ts'], isolate: false },
  {
    name: 'apart',
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...small, ...onApi, ...inRealTime],
  },
  { name: 'real-time', include: inRealTime, fileParallelism: false },
];

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global.ts'],
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: 'test-results/report.json' }]],
    // One after the other: processes are shared by files of the same project only.
    // Processes that the code starts for itself run the sources, as it does.
    projects: projects.map((project, groupOrder) => ({
      test: {
        pool: 'forks',
        execArgv: ['--import', new URL('test/setup/run-sources.mjs', import.meta.url).href],
        testTimeout: 60_000,
        hookTimeout: 120_000,
        expect: { poll: soon },
        sequence: { groupOrder },
        ...project,
      },
    })),
  },
});
