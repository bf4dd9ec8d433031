import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * A list in fields that grows and shrinks. What is added takes the focus (`useFocusOf`), and what is removed gives it to the button that
 * adds, because the button that removed it is gone.
 */
export function useGrowingList<Item extends object>(
  items: readonly Item[],
  onChange: (items: readonly Item[]) => void,
) {
  const adding = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<number | null>(null);
  return {
    /** The button that adds. */
    adding,
    isNew: (place: number): boolean => place === added,
    set: (place: number, part: Partial<Item>): void =>
      onChange(items.map((item, at) => (at === place ? { ...item, ...part } : item))),
    /** @param longer the items, with a new one at the end */
    add: (longer: readonly Item[]): void => {
      onChange(longer);
      setAdded(items.length);
    },
    remove: (place: number): void => {
      onChange(items.filter((_, at) => at !== place));
      setAdded(null);
      adding.current?.focus();
    },
  };
}

/** The first field of an item, which takes the focus if the item was just added. */
export function useFocusOf<Element extends HTMLElement>(isNew: boolean): RefObject<Element | null> {
  const first = useRef<Element>(null);
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  return first;
}
