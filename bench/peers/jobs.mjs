import { performance } from 'node:perf_hooks';

// What every queue is given: jobs that do nothing, of which three in ten throw the first time and are tried again after a second.

/** @param {number} number of the job, from 0 */
export const failsFirst = (number) => number % 10 < 3;

/**
 * Adds and works off the jobs, then prints what it took, as one line of JSON.
 *
 * @param {number} count of the jobs
 * @param {(done: () => void) => Promise<{ close(): Promise<void> }>} run adds the jobs and works on them; calls `done` once for each
 */
export async function measure(count, run) {
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const running = await untilDone(count, run);
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(before);
  await running.close();
  console.log(JSON.stringify({ seconds, cpuMs: (user + system) / 1000 }));
}

const untilDone = (count, run) =>
  new Promise((resolve, reject) => {
    let open = count;
    const running = run(() => {
      open -= 1;
      if (open === 0) resolve(running);
    });
    running.catch(reject);
  });
