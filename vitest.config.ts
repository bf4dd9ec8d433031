import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// The voice agent's packages are its own; where they are missing, test/integration/agent-package.test.ts says so.
const agentTests = existsSync('agent/node_modules/@livekit/agents') ? ['agent/test/**/*.test.ts'] : [];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', ...agentTests],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', ['json', { outputFile: 'test-results/report.json' }]],
  },
});
