/** A line of a transcript. */
export interface Line {
  readonly speaker: string;
  readonly text: string;
  /** ISO 8601; null: nobody noted when. */
  readonly at: string | null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The lines of a transcript as the API answers it; what is none is left out. */
export const linesOf = (transcript: readonly unknown[] | undefined): readonly Line[] =>
  (transcript ?? []).flatMap((each) => {
    if (typeof each !== 'object' || each === null) return [];
    const { speaker, text, at } = each as Readonly<Record<string, unknown>>;
    const said = textOf(text);
    return said === null ? [] : [{ speaker: textOf(speaker) ?? '', text: said, at: textOf(at) }];
  });
