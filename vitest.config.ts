import { existsSync } from 'node:fs';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.js';
import { soon } from './test/setup/soon.js';

// The voice agent's packages are its own; if they are missing, test/integration/agent-package.test.ts says so.
const ifAgent = (...globs: string[]) => (existsSync('agent/node_modules/@livekit/agents') ? globs : []);

/** Whole services, carriers and documents in separate processes, and what changes the process that runs it. */
const services = [
  'test/{chaos,e2e,fuzz,simulation}/**/*.test.ts',
  'test/integration/{embedded,soak}/**/*.test.ts',
  'clients/**/*.test.ts',
];
/** Pages in a browser, which asks the API in the process of the test. */
const onPages = ['test/browser/console/**/*.test.ts'];
/** Mostly computing, and it must answer in time. */
const onApi = ['test/api/**/*.test.ts'];
const inTime = ['test/security/hostile-bodies.test.ts'];

/** Conversations in real time, which a busy processor breaks. */
const inRealTime = [
  'test/browser/*.test.ts',
  ...ifAgent('agent/test/{conversation,warm-transfer}{,-kinds}.test.ts', 'agent/test/listen.test.ts'),
];

/** Real calls by SIP. */
const byTelephone = ['test/telephony/**/*.test.ts'];

/** What is long by nature, for `npm run test:long`. */
const long = ['{test,agent/test}/**/*.long.test.ts'];

const { exclude } = configDefaults;

/** Files of one group run beside each other: while some wait for leases, timers and processes, others compute. */
const sideBySide = { maxWorkers: 4, sequence: { groupOrder: 0 } };
/** No more of them than there are processors. */
const busy = { maxWorkers: 2, sequence: { groupOrder: 1 } };
/** They wait for people who speak, and take less than half of a processor each. */
const talking = (groupOrder: number) => ({ maxWorkers: 2, sequence: { groupOrder } });
/** By itself, on a quiet machine. */
const alone = (groupOrder: number) => ({ fileParallelism: false, sequence: { groupOrder } });

/** If .ci/run has no time left, files that have not begun are skipped by name. */
const beginInTime = './test/setup/begin-in-time.ts';

/** As package.json has it, `npm test` runs those before `long`, and `npm run test:long` the others. */
const projects: readonly NonNullable<TestProjectInlineConfiguration['test']>[] = [
  { name: 'apart', include: services, exclude: [...exclude, ...long], testTimeout: 1_200_000, ...sideBySide },
  // One process runs many files of those that leave nothing behind, so that it loads the code and opens the browser once.
  { name: 'console', include: onPages, isolate: false, ...sideBySide },
  {
    name: 'small',
    include: ['test/**/*.test.ts'],
    exclude: [...exclude, ...long, ...services, ...onPages, ...onApi, ...inTime, ...inRealTime, ...byTelephone],
    isolate: false,
    ...sideBySide,
  },
  {
    name: 'agent',
    include: ifAgent('agent/test/**/*.test.ts'),
    exclude: [...exclude, ...long, ...inRealTime],
    isolate: false,
    ...sideBySide,
  },
  // Its one long file starts first, beside those of the API.
  { name: 'in-time', include: inTime, isolate: false, ...busy },
  { name: 'api', include: onApi, setupFiles: ['test/api/hooks.ts'], isolate: false, ...busy },
  { name: 'real-time', include: inRealTime, exclude: [...exclude, ...long], ...talking(2) },
  {
    name: 'long',
    include: ['test/**/*.long.test.ts'],
    exclude: [...exclude, ...byTelephone],
    testTimeout: 1_800_000,
    maxWorkers: 2,
    sequence: { groupOrder: 3 },
    runner: beginInTime,
  },
  {
    name: 'long-real-time',
    include: ifAgent('agent/test/**/*.long.test.ts'),
    runner: beginInTime,
    ...talking(4),
  },
  { name: 'telephony', include: byTelephone, runner: beginInTime, ...alone(5) },
];

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/report.json' },
    sequence: { sequencer: LongestFirst },
    // Processes that the code starts for itself run the sources, as it does.
    projects: projects.map((project) => ({
      test: {
        pool: 'forks',
        execArgv: ['--import', new URL('test/setup/run-sources.mjs', import.meta.url).href],
        // These end what hangs. A machine that does much else beside the tests may take many times as long as an idle one.
        testTimeout: 300_000,
        hookTimeout: 600_000,
        expect: { poll: soon },
        ...project,
      },
    })),
  },
});
