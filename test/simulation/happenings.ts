import type { Process } from './time.js';

/** How something on the wire goes. */
export interface Course {
  /**
   * `before`: the connection breaks before it arrives; `after`: it is done, and the answer is lost; `late`: who asked hears
   * that the connection broke, and it arrives all the same, whenever that is.
   */
  readonly broken: 'before' | 'after' | 'late' | null;
  /** The answer is on its way until it is delivered as a happening of its own. */
  readonly slow: boolean;
  /** How long it is on its way until it arrives; Infinity: until its process asks the same again, and then before that. */
  readonly delayMs: number;
}

export const smooth: Course = { broken: null, slow: false, delayMs: 0 };

/** Something that may happen next: a statement that reaches PostgreSQL, an answer that reaches a process, … */
export interface Happening {
  readonly process: Process;
  readonly what: string;
  /** Of a statement, what it asks with. */
  readonly params?: readonly unknown[];
  /** Whether it waits for as long as the process stands still; what is on the wire already does not. */
  readonly atProcess: boolean;
  readonly run: (course: Course) => Promise<void> | void;
}

/** All that may happen next, in the order in which it was caused. */
export interface Happenings {
  readonly list: readonly Happening[];
  add(happening: Happening): void;
  take(happening: Happening): void;
  removeAllOf(process: Process): void;
}

export function createHappenings(): Happenings {
  let list: Happening[] = [];
  return {
    get list() {
      return list;
    },
    add(happening) {
      if (!happening.process.dead) list.push(happening);
    },
    take(happening) {
      list = list.filter((other) => other !== happening);
    },
    removeAllOf(process) {
      list = list.filter((other) => other.process !== process);
    },
  };
}
