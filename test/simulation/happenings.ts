import type { Process } from './time.js';

/** How something on the wire goes. */
export interface Course {
  /** `before`: the connection breaks before it arrives; `after`: it is done, and the answer is lost. */
  readonly broken: 'before' | 'after' | null;
  /** The answer is on its way until it is delivered as a happening of its own. */
  readonly slow: boolean;
}

export const smooth: Course = { broken: null, slow: false };

/** Something that may happen next: a statement that reaches PostgreSQL, an answer that reaches a process, … */
export interface Happening {
  readonly process: Process;
  readonly what: string;
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
