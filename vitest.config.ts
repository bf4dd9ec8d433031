import { existsSync } from 'node:fs';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { soon } from './test/setup/soon.js';

// The voice agent's packages are its own; if they are missing, test/integration/agent-package.test.ts says so.
const ifAgent = (...globs: string[]) => (existsSync('agent/node_modules/@livekit/agents') ? globs : []);

/** Small files that leave nothing behind. One process runs many of them, so that it loads the code once. */
const small = ['test/{unit,property,statements,security,integration/dialer}/**/*.test.ts'];
const onApi = ['test/api/**/*.test.ts'];

/** Conversations in real time, which a busy processor breaks. */
const inRealTime = ['test/browser/**/*.test.ts', ...ifAgent('agent/test/conversation.test.ts')];

/** Real calls by SIP. */
const byTelephone = ['test/telephony/**/*.test.ts'];

/** What is long by nature, for `npm run test:long`. */
const long = ['{test,agent/test}/**/*.long.test.ts'];

const { exclude } = configDefaults;
const longRealTime = [...ifAgent('agent/test/**/*.long.test.ts'), ...byTelephone];

/** As package.json has it, `npm test` runs the first four and `npm run test:long` the others. */
const projects: readonly NonNullable<TestProjectInlineConfiguration['test']>[] = [
  { name: 'small', include: small, exclude: [...exclude, ...long], isolate: false },
  { name: 'api', include: onApi, setupFiles: ['test/api/hooks.ts'], isolate: false },
  {
    name: 'apart',
    include: ['test/**/*.test.ts', ...ifAgent('agent/test/**/*.test.ts')],
    exclude: [...exclude, ...long, ...small, ...onApi, ...inRealTime, ...byTelephone],
    // They wait for leases, timers and processes for most of their time.
    maxWorkers: 4,
  },
  { name: 'real-time', include: inRealTime, exclude: [...exclude, ...long], fileParallelism: false },
  { name: 'long', include: ['test/**/*.long.test.ts'], exclude: [...exclude, ...byTelephone] },
  { name: 'long-real-time', include: longRealTime, fileParallelism: false },
];

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/report.json' },
    // One after the other: processes are shared by files of the same project only.
    // Processes that the code starts for itself run the sources, as it does.
    projects: projects.map((project, groupOrder) => ({
      test: {
        pool: 'forks',
        execArgv: ['--import', new URL('test/setup/run-sources.mjs', import.meta.url).href],
        testTimeout: 60_000,
        hookTimeout: 120_000,
        expect: { poll: soon },
        maxWorkers: 2,
        sequence: { groupOrder },
        ...project,
      },
    })),
  },
});
