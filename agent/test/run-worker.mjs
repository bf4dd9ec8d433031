import { runAgent } from '../dist/agent/main.js';

await runAgent();
