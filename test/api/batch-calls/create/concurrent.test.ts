import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Db } from '../../../../db/client.js';
import { anotherApp, here } from '../../support.js';
import { aRoute, csv, fields, type Part, type Route, send } from '../support.js';
import { lockWaits } from '../../../setup/lock-waits.js';

describe('409', () => {
  test('P2-7: an account that has as many open batch calls as it may have is told so, and may go on after one is over', async () => {
    const { phoneNumber } = await aRoute();
    const app = await anotherApp({ env: { ...here().deps.env, OUTDIAL_MAX_OPEN_BATCHES: 1 } });
    const create = () => send([csv(), ...fields({ name: 'Reminders', phoneNumber })], { app });
    expect((await create()).status).toBe(201);
    const refused = await create();
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('1 batch calls that are not finished'),
    ]);
    await here()
      .database.db.updateTable('batches')
      .set({ status: 'parse_failed', parse_error: 'no', completed_at: new Date() })
      .execute();
    expect((await create()).status).toBe(201);
  });

  test('P2-7: an account that keeps as many bytes as it may keep is told so with 413', async () => {
    const { phoneNumber } = await aRoute();
    const app = await anotherApp({ env: { ...here().deps.env, OUTDIAL_MAX_STORED_MB: 1 } });
    const file = csv(`phone_number,note\n+919877012345,${'x'.repeat(600_000)}\n`);
    const create = () => send([file, ...fields({ name: 'Reminders', phoneNumber })], { app });
    expect((await create()).status).toBe(201);
    const refused = await create();
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('may keep 1 MB')]);
  });
});

describe('Idempotency-Key', () => {
  let keys = 0;
  const aKey = () => ({ 'idempotency-key': `key-${++keys}` });

  const batchesNamed = async (name: string) => {
    const { rows } = await sql<{ id: string }>`select id from batches where name = ${name}`.execute(here().database.db);
    return rows.map(({ id }) => id);
  };

  // shows: idempotency.replay
  test('the same form under the same key is one batch, and the answer is the first one again', async () => {
    const { phoneNumber } = await aRoute();
    const headers = aKey();
    const retry = (json: string): Part => ({ name: 'retry', value: json });
    const form = fields({ name: 'Once', phoneNumber });

    const first = await send([csv(), retry('{"retryOn":["missed"],"retryDelays":[5]}'), ...form], { headers });
    // Another boundary, another order, other spaces in the JSON.
    const second = await send([...form, retry('{ "retryDelays": [5], "retryOn": ["missed"] }'), csv()], { headers });

    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect({ status: second.status, body: second.body }).toEqual({ status: 201, body: first.body });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await batchesNamed('Once')).toHaveLength(1);
  });

  test('trying again works also when the scheduled minute is over', async () => {
    const { phoneNumber } = await aRoute();
    const headers = aKey();
    let now = new Date('2026-11-21T14:28:10Z');
    const app = await anotherApp({ clock: () => now });
    const schedule = { date: '2026-11-21', time: '14:28', timezone: 'UTC' };
    const form = [csv(), ...fields({ name: 'Now', phoneNumber, schedule })];

    const first = await send(form, { headers, app });
    now = new Date('2026-11-21T14:40:00Z');
    const second = await send(form, { headers, app });

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });

  // shows: everywhere.422, idempotency.content
  test.each<[string, (form: Part[]) => Part[]]>([
    ['another file', (form) => [...form.slice(1), csv('phone_number\n+919877012346\n')]],
    ['another name of the file', (form) => [...form.slice(1), csv(undefined, 'others.csv')]],
    ['another field', (form) => [...form, ...fields({ description: 'x' })]],
  ])('the same key with %s is refused', async (_what, change) => {
    const { phoneNumber } = await aRoute();
    const headers = aKey();
    const form = [csv(), ...fields({ name: 'A', phoneNumber })];
    await send(form, { headers });

    const response = await send(change(form), { headers });

    expect({ status: response.status, body: response.body }).toEqual({
      status: 422,
      body: { error: expect.any(String) },
    });
  });

  // shows: idempotency.refusal
  test('a refused form leaves its key free', async () => {
    const { phoneNumber } = await aRoute();
    const headers = aKey();
    expect((await send([csv(), ...fields({ phoneNumber })], { headers })).status).toBe(400);
    expect((await send([csv(), ...fields({ name: 'A', phoneNumber })], { headers })).status).toBe(201);
  });

  test('of twenty tries at the same time one makes the batch, and the others replay it or are told to wait', async () => {
    const { phoneNumber } = await aRoute();
    const headers = aKey();
    const form = [csv(), ...fields({ name: 'Race', phoneNumber })];

    const answers = await Promise.all(Array.from({ length: 20 }, () => send(form, { headers })));

    const [made] = answers.filter(
      ({ status, headers: sent }) => status === 201 && sent['idempotent-replayed'] === undefined,
    );
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    for (const { status, body } of answers) {
      if (status === 201) expect(body).toEqual(made?.body);
      else expect(body).toEqual({ error: expect.stringContaining('still running') });
    }
    expect(await batchesNamed('Race')).toHaveLength(1);
  });

  test('without a key each request is a batch of its own', async () => {
    const { phoneNumber } = await aRoute();
    const form = [csv(), ...fields({ name: 'Twice', phoneNumber })];
    await Promise.all([send(form), send(form)]);
    expect(await batchesNamed('Twice')).toHaveLength(2);
  });
});

describe('races', () => {
  /** Resolves when a statement waits for a lock in this file's database. */
  async function somebodyWaits(): Promise<void> {
    while ((await lockWaits(here().database.pool)) === 0);
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
});
