/**
 * `fetch` that gives up after a while. The limit keeps the process alive, as that of `AbortSignal.timeout` does not: fetch of Node 20
 * may wait without end for a connection that was closed without an answer.
 *
 * @param read what has to be done with the answer in time
 * @throws {DOMException} `TimeoutError`
 */
export async function fetchWithin<T>(
  limitMs: number,
  url: string,
  init: RequestInit,
  read: (answer: Response) => T | Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('no answer in time', 'TimeoutError')), limitMs);
  try {
    return await read(await fetch(url, { ...init, signal: limit.signal }));
  } finally {
    clearTimeout(timer);
  }
}
