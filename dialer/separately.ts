/** Things to be done, each on its own. */
export interface Separately {
  /** Begins the work, which must not reject, unless work of this key is under way. Does not wait for it. */
  begin(key: string, work: () => Promise<void>): void;
}

/**
 * For what a loop asks others to do in each of its rounds: one that does not answer holds up neither the rounds nor what is asked
 * of others, and is not asked a second time meanwhile.
 */
export function createSeparately(): Separately {
  const underWay = new Set<string>();
  return {
    begin(key, work) {
      if (underWay.has(key)) return;
      underWay.add(key);
      void work().finally(() => underWay.delete(key));
    },
  };
}
