/**
 * How long a test waits for what happens at once on an idle machine: `vi.waitFor(…, soon)`. `expect.poll` has it from
 * vitest.config.ts. A busy machine may need a hundred times as long.
 */
export const soon = { timeout: 120_000, interval: 20 };
