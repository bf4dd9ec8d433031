const lookEveryMs = 5;

/**
 * Watches this process from now on.
 *
 * @returns what it took so far: the longest time its event loop stood still, and the most resident memory
 */
export function watchOwnCost(): () => { readonly blockedMs: number; readonly peakRssMiB: number } {
  let blockedMs = 0;
  let peakRssBytes = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last);
    last = now;
    peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
  }, lookEveryMs).unref();
  return () => ({ blockedMs, peakRssMiB: peakRssBytes / 1024 / 1024 });
}
