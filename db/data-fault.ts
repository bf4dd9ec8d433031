/**
 * Whether PostgreSQL has refused a statement because of what is in it: bad data, a broken constraint, a missing column, more than it
 * takes, a check of ours. The statement has done nothing, and is refused the next time, too; an outage says something else.
 */
export const isAboutItsData = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?:22|23|42|54|P0)\w{3}$/.test(String(error.code));
