/**
 * Waits for `work` no longer than this. What it does meanwhile goes on; an error of it is then lost.
 *
 * @throws {Error} `not ready within … s`
 */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`not ready within ${limitMs / 1000} s`)), limitMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
