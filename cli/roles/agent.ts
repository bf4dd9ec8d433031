import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { goOnUnread } from '../standard-output.js';

/** The agent's package, seen from dist/cli/roles. */
const home = fileURLToPath(new URL('../../../agent', import.meta.url));
/** Made by `npm run build --prefix agent`. */
const built = `${home}/dist/agent/main.js`;

const AgentModule = z.object({ runAgent: z.custom<() => Promise<void>>((value) => typeof value === 'function') });

/** The command that installs the agent worker, from any folder. */
export const installAgent = `npm ci --prefix "${home}" && npm run build --prefix "${home}"`;

/** @returns true if the agent worker is built, and its packages are there */
export const agentIsInstalled = (): boolean =>
  existsSync(built) && existsSync(`${home}/node_modules/@livekit/agents/package.json`);

/**
 * `outdial agent`: the voice agents. They are a separate package, which is installed only on machines that run them.
 *
 * @throws if the package is not installed; the message says how to install it
 */
export async function runAgentWorker(): Promise<void> {
  if (!existsSync(built)) throw new Error(`The agent worker is not installed here: ${installAgent}`);
  goOnUnread();
  const { runAgent } = AgentModule.parse(await import(pathToFileURL(built).href));
  await runAgent();
}
