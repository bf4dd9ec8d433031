import pg from 'pg';

/** Whether an error is Postgres' refusal of a second row of a kind in this table: two requests raced. */
export const isUniqueViolation = (error: unknown, table: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.table === table;
