import { defineConfig } from 'vitest/config';

/** `npm run bench:talk`: it measures, so that nothing else may run beside it. */
export default defineConfig({
  test: {
    include: ['agent/test/talk-bench/talk.bench.ts'],
    globalSetup: ['test/setup/global.ts'],
    pool: 'forks',
    execArgv: ['--import', new URL('../../../test/setup/run-sources.mjs', import.meta.url).href],
    hookTimeout: 600_000,
  },
});
