import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/report.json' }]],
  },
});
