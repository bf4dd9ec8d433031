import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../../../db/client.js';
import { here } from '../../support.js';
import { aRoute, csv, fields, send, type Route } from '../support.js';

/** Resolves when somebody waits for a lock in this file's database. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: boolean }>`
      select exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')
        as waiting`.execute(here().database.db);
    if (rows[0]?.waiting === true) return;
  }
}

const takings: [string, RegExp, (tx: Db, route: Route) => Promise<unknown>][] = [
  [
    'its gateway is detached',
    /no outbound gateway/,
    (tx, { phoneNumberId }) => sql`delete from number_gateways where number_id = ${phoneNumberId}`.execute(tx),
  ],
  [
    'its rule is taken off the number',
    /no outbound routing rule/,
    (tx, { ruleId }) => sql`delete from rule_numbers where rule_id = ${ruleId}`.execute(tx),
  ],
  [
    'its agent is undeployed',
    /not active/,
    (tx, { agentId }) =>
      sql`update agents set status = 'inactive', deployment_id = null where id = ${agentId}`.execute(tx),
  ],
];

// shows: batch.create.races
test.each(takings)(
  'a batch that is created while %s waits for that, and is refused',
  async (_what, words, takeAway) => {
    const route = await aRoute();
    let creating: ReturnType<typeof send> | undefined;

    await here()
      .database.db.transaction()
      .execute(async (tx) => {
        await takeAway(tx, route);
        creating = send([csv(), ...fields({ name: 'A', phoneNumber: route.phoneNumber })]);
        await somebodyWaits();
      });

    const response = await creating!;
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: expect.stringMatching(words) });
  },
);
