/** Requests to Temporal under way at once. */
const atOnce = 10;

/** Works through all there are, a page at a time, each page beginning after the last of the one before. */
export async function inPages<T>(
  read: (after: string | null) => Promise<T[]>,
  keyOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let page = await read(null); ;) {
    const last = page.at(-1);
    if (last === undefined) return;
    await forEach(page, work);
    page = await read(keyOf(last));
  }
}

/** Works through a list, several at once. */
export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const one = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, one));
}
