/** Whether PostgreSQL has refused a statement because of what is in it, which may be the fault of one attempt among many. */
export const isAboutItsData = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?:22|23|42|54|P0)\w{3}$/.test(String(error.code));
