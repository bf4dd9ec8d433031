import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

/** What `npm run build --prefix agent` makes, seen from dist/cli/roles. */
const built = fileURLToPath(new URL('../../../agent/dist/agent/main.js', import.meta.url));

const AgentModule = z.object({ runAgent: z.custom<() => Promise<void>>((value) => typeof value === 'function') });

/**
 * `outdial agent`: the voice agents. They are a package of their own, which is installed where they run and nowhere else.
 *
 * @throws where it is not installed, with how to do it
 */
export async function runAgentWorker(): Promise<void> {
  if (!existsSync(built)) {
    throw new Error('The agent worker is not installed here: npm ci --prefix agent && npm run build --prefix agent');
  }
  const { runAgent } = AgentModule.parse(await import(pathToFileURL(built).href));
  await runAgent();
}
