import { type KeyboardEvent, useRef } from 'react';

/** What a line of a list needs so that the keys reach it. */
interface Line<Element extends HTMLElement> {
  readonly ref: (element: Element | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/**
 * Lines of a list that the keys j and k, or the arrows, go through.
 *
 * @param ids of the lines, in their order
 * @returns what the button or link of a line is given, by its place in the list
 */
export function useLines<Element extends HTMLElement>(ids: readonly string[]): (index: number) => Line<Element> {
  const elements = useRef(new Map<string, Element>());
  return (index) => {
    const id = ids[index] ?? '';
    return {
      ref(element) {
        if (element === null) elements.current.delete(id);
        else elements.current.set(id, element);
      },
      onKeyDown(event) {
        const next = ids[index + (steps[event.key] ?? 0)];
        if (steps[event.key] === undefined || next === undefined) return;
        event.preventDefault();
        elements.current.get(next)?.focus();
      },
    };
  };
}
