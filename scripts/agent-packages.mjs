import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the voice agent, whose packages are its own. */
export const agentFolder = fileURLToPath(new URL('../agent', import.meta.url));

/** Whether they are installed: without them its code has no types, and its suites cannot run. */
export const hasAgentPackages = () => existsSync(`${agentFolder}/node_modules/@livekit/agents`);
