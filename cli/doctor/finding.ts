/** What one check has found. */
export interface Finding {
  readonly check: string;
  /** `warning`: it works, and something should be looked at. `skipped`: it could not be looked at from here. */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** For programs, in `-o json`. */
  readonly figures?: Readonly<Record<string, number | string | null>>;
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const skipped = (check: string, message: string): Finding => ({ check, state: 'skipped', message });
export const failed = (check: string, message: string, remedy?: string): Finding => ({
  ...{ check, state: 'failed', message },
  ...(remedy === undefined ? {} : { remedy }),
});
export const warning = (check: string, message: string, remedy?: string): Finding => ({
  ...failed(check, message, remedy),
  state: 'warning',
});

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
