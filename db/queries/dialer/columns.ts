/** Postgres takes no NUL in text, and texts of carriers and callees may contain anything. */
export const withoutNul = (text: string | null): string | null => text?.replaceAll('\0', '') ?? null;

/** A value as a text of JSON; null stays null. In JSON, Postgres takes neither NUL nor half a surrogate pair. */
export const asJson = (value: unknown): string | null =>
  value === null
    ? null
    : JSON.stringify(value, (_key, part: unknown) =>
        typeof part === 'string' ? part.replace(/\0|\p{Surrogate}/gu, '') : part,
      );

/** Gives all values of a column, as `unnest` takes them: the planner knows how many rows there are, which it does not of JSON. */
export const columnsOf =
  <Row>(rows: readonly Row[]) =>
  <Name extends keyof Row>(name: Name): Row[Name][] =>
    rows.map((row) => row[name]);
