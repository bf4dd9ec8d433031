/** Something that orders change: it knows which of its values may hold. */
export interface Changing<T> {
  /** A change is asked for: from now on this value may hold, or one before it. */
  asked(value: T): void;
  /** The change was answered at this step: what reaches PostgreSQL after it finds this value. */
  answered(value: T, step: number): void;
  /** What may have held for something that PostgreSQL has answered at this step. */
  at(step: number): readonly T[];
}

export function createChanging<T>(first: T): Changing<T> {
  let values: readonly T[] = [first];
  let before: readonly T[] = values;
  let sinceStep = 0;
  return {
    asked(value) {
      values = [...values, value];
      sinceStep = Infinity;
      before = values;
    },
    answered(value, step) {
      before = values;
      values = [value];
      sinceStep = step;
    },
    at: (step) => (step > sinceStep ? values : before),
  };
}
