const lookEveryMs = 5;

/**
 * Watches this process from now on.
 *
 * @returns what it took so far: the longest time its event loop stood still while it computed, and the most resident memory.
 *   Time in which a busy machine ran other processes is not its own
 */
export function watchOwnCost(): () => { readonly blockedMs: number; readonly peakRssMiB: number } {
  let blockedMs = 0;
  let peakRssBytes = 0;
  let last = performance.now();
  let used = process.cpuUsage();
  setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    blockedMs = Math.max(blockedMs, Math.min(now - last, (user + system) / 1_000));
    last = now;
    used = process.cpuUsage();
    peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
  }, lookEveryMs).unref();
  return () => ({ blockedMs, peakRssMiB: peakRssBytes / 1024 / 1024 });
}
