// Ends its process when that takes more memory or processor time than it may, or when the process that started it is gone.
// Plain JavaScript: a thread loads it directly, from the sources as from the build.
import { writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setInterval } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 20;
/** A file that takes longer makes way for processes that answer people. A small one is read before, also on a busy machine. */
const quickCpuSeconds = 1;
const slowNiceness = 5;
let isQuick = true;
const { memoryMiB, cpuSeconds, parent } = workerData;

function end(why) {
  writeSync(2, `limit: ${why}\n`);
  process.kill(process.pid, 'SIGKILL');
}

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > memoryMiB * 1024 * 1024) end('memory');
  const { user, system } = process.cpuUsage();
  if (user + system > cpuSeconds * 1e6) end('time');
  if (isQuick && user + system > quickCpuSeconds * 1e6) {
    isQuick = false;
    setPriority(process.pid, slowNiceness);
  }
}, everyMs);
parentPort.postMessage('watching');
