import { isAboutItsData } from './data-fault.js';

/**
 * Does work on all of these at once. If PostgreSQL refuses it because of what is in it, it is done on halves, until it is known whose
 * fault that is: one of them must not keep the others waiting.
 *
 * @param refused called with each one alone with which the work is refused
 * @throws whatever else the work fails with
 */
export async function inHalves<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
  refused: (item: T, error: unknown) => void | Promise<void>,
): Promise<void> {
  const [item] = items;
  if (item === undefined) return;
  try {
    await work(items);
  } catch (error) {
    if (!isAboutItsData(error)) throw error;
    const middle = Math.floor(items.length / 2);
    if (middle === 0) return refused(item, error);
    await inHalves(items.slice(0, middle), work, refused);
    await inHalves(items.slice(middle), work, refused);
  }
}
