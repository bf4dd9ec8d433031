/** An attempt that PostgreSQL names in its answer to a claim, a pace or a gate, by the names that the product gives its columns. */
export interface AnsweredKey {
  readonly callId: string;
  readonly attempt: number;
  readonly claimId: string;
  /** Why the gate did not let it pass. */
  readonly refusal: unknown;
}

export function keysIn(rows: readonly unknown[]): AnsweredKey[] {
  return rows.flatMap((row) => {
    const key = keyIn(row);
    return key === null ? [] : [key];
  });
}

/** The slots that pacing has given, as milliseconds from its answer. */
export function slotsIn(rows: readonly unknown[]): { readonly key: AnsweredKey; readonly dialInMs: number }[] {
  return rows.flatMap((row) => {
    const key = keyIn(row);
    if (key === null || typeof row !== 'object' || row === null || !('dialInMs' in row)) return [];
    return typeof row.dialInMs === 'number' ? [{ key, dialInMs: row.dialInMs }] : [];
  });
}

function keyIn(row: unknown): AnsweredKey | null {
  if (typeof row !== 'object' || row === null || !('callId' in row) || !('attempt' in row) || !('claimId' in row)) {
    return null;
  }
  const refusal = 'refusal' in row ? row.refusal : null;
  return { callId: String(row.callId), attempt: Number(row.attempt), claimId: String(row.claimId), refusal };
}
