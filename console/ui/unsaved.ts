import { useEffect, useSyncExternalStore } from 'react';

interface Unsaved {
  /** Whether it is still there on the same page with this search. */
  readonly staysAt: (search: object) => boolean;
  /** What is lost by leaving, as a sentence. */
  readonly words: string;
}

/** What leaving this page would lose. */
const unsaved = new Map<symbol, Unsaved>();
const listeners = new Set<() => void>();

const changed = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const nowhere = () => false;
const typed = 'What you have typed on this page is not saved, and is lost if you leave it.';

/**
 * Has the console ask before the page, or the tab, is left while something that was typed is not saved. Whoever leaves the page because
 * it was saved, or is gone, navigates with `ignoreBlocker`.
 *
 * @param staysAt whether the form is still there on the same page with this search; the same function at each call; default: nowhere
 * @param words what is lost by leaving, as a sentence; default: what was typed
 */
export function useUnsaved(
  isUnsaved: boolean,
  staysAt: (search: object) => boolean = nowhere,
  words: string = typed,
): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const form = Symbol('form');
    unsaved.set(form, { staysAt, words });
    changed();
    return () => {
      unsaved.delete(form);
      changed();
    };
  }, [isUnsaved, staysAt, words]);
}

export const isAnythingUnsaved = (): boolean => unsaved.size > 0;

/** What is lost if the page is left now: a sentence for each kind. */
export const wordsOfUnsaved = (): string => [...new Set([...unsaved.values()].map(({ words }) => words))].join(' ');

export const useAnythingUnsaved = (): boolean => useSyncExternalStore(subscribe, isAnythingUnsaved);

/** Dialogs that are open. */
const dialogs = new Set<symbol>();

/** Notes that a dialog is open: what was typed in it is kept while another token is asked for, though closing it asks nothing. */
export function useOpenDialog(opened: boolean): void {
  useEffect(() => {
    if (!opened) return undefined;
    const dialog = Symbol('dialog');
    dialogs.add(dialog);
    return () => {
      dialogs.delete(dialog);
    };
  }, [opened]);
}

/** Whether the page has something that signing out would lose: in a form, or in a dialog that is open. */
export const isAnythingBegun = (): boolean => isAnythingUnsaved() || dialogs.size > 0;

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** Whether something that was typed is lost by going from one place of the console to another. */
export const wouldLose = (from: Place, to: Place): boolean =>
  [...unsaved.values()].some(({ staysAt }) => from.pathname !== to.pathname || !staysAt(to.search)) &&
  !isSame(from, to);

/** The same page but for the part of it that is scrolled to. */
const isSame = (from: Place, to: Place): boolean =>
  from.pathname === to.pathname && JSON.stringify(from.search) === JSON.stringify(to.search);
