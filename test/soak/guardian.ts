import { z } from 'zod';
import { unmountLeftovers } from './disk.js';
import { guard } from './guard.js';

/*
 * A program beside the soak, which outlives it by a moment: if the soak, npm or `.ci/run` is killed, it ends what the soak has
 * started, frozen processes and PostgreSQL's own among them, and unmounts its disk.
 */

const Identity = z.object({ pid: z.number(), startedAt: z.string() });
const Watched = z.object({ soak: Identity, parents: z.array(Identity) });

// A signal to everything of the soak must not end what cleans up after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
await guard(Watched.parse(JSON.parse(process.argv[2] ?? '')));
unmountLeftovers();
