import type { Db } from '../client.js';

/** Reads what belongs together by several statements, all of one instant, and changes nothing. */
export const ofOneInstant = <Result>(db: Db, read: (tx: Db) => Promise<Result>): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
