/** How long a test waits for what happens at once on an idle machine: `vi.waitFor(…, soon)`. `expect.poll` has it from vitest.config.ts. */
export const soon = { timeout: 20_000, interval: 20 };
