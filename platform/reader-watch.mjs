// Ends its process when that takes more memory or processor time than it may, or when the process that started it is gone.
// Plain JavaScript: a thread loads it directly, from the sources as from the build.
import { writeSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 20;
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
}, everyMs);
parentPort.postMessage('watching');
