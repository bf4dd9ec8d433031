import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';

/** Path of the agent's build from dist/cli/roles; made by `npm run build --prefix agent`. */
const built = fileURLToPath(new URL('../../../agent/dist/agent/main.js', import.meta.url));

const AgentModule = z.object({ runAgent: z.custom<() => Promise<void>>((value) => typeof value === 'function') });

/**
 * `outdial agent`: the voice agents. They are a separate package, which is installed only on machines that run them.
 *
 * @throws if the package is not installed; the message says how to install it
 */
export async function runAgentWorker(): Promise<void> {
  if (!existsSync(built)) {
    throw new Error('The agent worker is not installed here: npm ci --prefix agent && npm run build --prefix agent');
  }
  const { runAgent } = AgentModule.parse(await import(pathToFileURL(built).href));
  await runAgent();
}
