import { sql, type RawBuilder } from 'kysely';

/** From and to how many seconds calls talked, both included. */
export interface TalkRange {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** That the settled call `c` talked so long. An index has the column of those that are over. */
export const talkedFor = ({ least = 0, most }: TalkRange): RawBuilder<unknown> =>
  most === undefined
    ? sql`c.ended_talk_seconds >= ${least}::float8`
    : sql`c.ended_talk_seconds between ${least}::float8 and ${most}::float8`;
