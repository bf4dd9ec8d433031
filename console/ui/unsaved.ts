import { useEffect, useSyncExternalStore } from 'react';

/** Forms of this page with something typed that is not saved, each with the parts of the page under which it stays. */
const forms = new Map<symbol, (search: object) => boolean>();
const listeners = new Set<() => void>();

const changed = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const nowhere = () => false;

/**
 * Has the console ask before the page, or the tab, is left while something that was typed is not saved. Whoever leaves the page because
 * it was saved, or is gone, navigates with `ignoreBlocker`.
 *
 * @param staysAt whether the form is still there on the same page with this search; the same function at each call; default: nowhere
 */
export function useUnsaved(isUnsaved: boolean, staysAt: (search: object) => boolean = nowhere): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const form = Symbol('form');
    forms.set(form, staysAt);
    changed();
    return () => {
      forms.delete(form);
      changed();
    };
  }, [isUnsaved, staysAt]);
}

export const isAnythingUnsaved = (): boolean => forms.size > 0;

export const useAnythingUnsaved = (): boolean => useSyncExternalStore(subscribe, isAnythingUnsaved);

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** Whether something that was typed is lost by going from one place of the console to another. */
export const wouldLose = (from: Place, to: Place): boolean =>
  [...forms.values()].some((staysAt) => from.pathname !== to.pathname || !staysAt(to.search)) && !isSame(from, to);

/** The same page but for the part of it that is scrolled to. */
const isSame = (from: Place, to: Place): boolean =>
  from.pathname === to.pathname && JSON.stringify(from.search) === JSON.stringify(to.search);
