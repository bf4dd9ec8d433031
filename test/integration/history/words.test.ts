import { sql } from 'kysely';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../db/client.js';
import { migrate } from '../../../db/migrate.js';
import { eraseContact } from '../../../db/queries/accounts/erase-contact.js';
import type { CallFilter } from '../../../db/queries/calls/filter.js';
import { listCalls } from '../../../db/queries/calls/list.js';
import { hasWord, readTranscripts } from '../../../db/queries/calls/transcript-words.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { lockWaits } from '../../setup/lock-waits.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 6, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});
beforeEach(async () => {
  tenant = await aTenant(database.db);
});

interface Said {
  readonly status?: string;
  readonly daysAgo?: number;
  readonly to?: string;
}

/** A call in which these lines were said. */
async function aCall(lines: readonly string[], { status = 'answered', daysAgo = 0, to = '+12125550100' }: Said = {}) {
  const id = uuidv7();
  await sql`
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, agent_id, status, created_at)
    values (${id}, ${tenant.accountId}, ${to}, ${tenant.number}, ${tenant.ruleId}, ${tenant.gatewayId}, ${tenant.agentId}, 'in-progress',
      now() - make_interval(days => ${daysAgo}))`.execute(database.db);
  const transcript = lines.map((text) => ({ speaker: 'callee', text, at: '2026-03-01T00:00:00Z' }));
  await sql`update calls set transcript = ${JSON.stringify(transcript)}::jsonb where id = ${id}`.execute(database.db);
  await sql`update calls set status = ${status}, ended_at = now() where id = ${id}`.execute(database.db);
  return id;
}

async function readAll(): Promise<void> {
  while (await readTranscripts(database.db));
}

const found = async (
  words: string,
  more: Partial<CallFilter> = {},
  accountId = tenant.accountId,
): Promise<string[]> => {
  const filter: CallFilter = { statuses: [], search: '', words, ...more };
  const { calls } = await listCalls(database.db, accountId, filter, { offset: 0, limit: 100 });
  return calls.map(({ call }) => call.id);
};

const change = (id: string, what: string) => database.pool.query(`update calls set ${what} where id = $1`, [id]);

test('calls are found by all of their words, phrases, alternatives and what was not said, newest first over years', async () => {
  const old = await aCall(['I want a refund', 'of my Invoice'], { daysAgo: 800 });
  const later = await aCall(['No refund, thank you.'], { daysAgo: 3 });
  const now = await aCall(['The invoice is wrong: a refund, please']);
  await readAll();
  expect(await found('refund')).toEqual([now, later, old]);
  expect(await found('INVOICE refund')).toEqual([now, old]);
  expect(await found('"a refund"')).toEqual([now, old]);
  expect(await found('"refund of"')).toEqual([old]);
  expect(await found('refund -invoice')).toEqual([later]);
  expect(await found('-invoice')).toEqual([later]);
  expect(await found('thank or wrong')).toEqual([now, later]);
  expect(await found('refunds')).toEqual([]);
  const since = new Date(Date.now() - 4 * 86_400_000);
  expect(await found('refund', { createdFrom: since })).toEqual([now, later]);
  expect(await found('refund', { createdUntil: since })).toEqual([old]);
  expect(await found('refund', { ids: [later, old] })).toEqual([later, old]);
  expect(await found('refund', { agentId: 'agt_of_nobody' })).toEqual([]);
  expect(await found('refund', { statuses: ['ended'], type: 'outbound' })).toHaveLength(3);
});

test.each([
  ['ÉCOLE', ['à l’école demain'], 'any case of letters beyond ASCII'],
  ['धनवापसी', ['मुझे धनवापसी चाहिए'], 'Devanagari'],
  ['ประชุม', ['พรุ่งนี้มีประชุมที่บริษัท'], 'Thai, which has no spaces'],
  ['คำถาม', ['ขอทำงานกับคำถาม'], 'Thai with the vowel am'],
  ['น้ำ', ['นํ้าดื่มสำหรับทุกคน'], 'Thai whose tone mark was typed between the parts of am'],
  ['会議', ['明日は会議があります'], 'Japanese'],
  ['follow-up', ['A follow-up by mail, to asha@example.com'], 'words with a hyphen'],
  ['asha example', ['Mail asha@example.com'], 'parts of an address'],
  ['3.5', ['it is 3.5 percent'], 'numbers with a point'],
  ['école', ['L’école'], 'words after an apostrophe'],
  ['4711', ['my number is 4711'], 'numbers'],
  ["o'brien", ["this is O'Brien"], 'apostrophes'],
])('%s is found in %j: %s', async (words, lines) => {
  const id = await aCall(lines);
  await aCall(['something else']);
  await readAll();
  expect(await found(words)).toEqual([id]);
});

test.each(['=', `' & !`, '" "', `\\'|`, ':*', '<->'])('%s has no word, and finds nothing', async (words) => {
  await aCall(['said']);
  await readAll();
  expect(hasWord(words)).toBe(false);
  expect(await found(words)).toEqual([]);
});

test('what another account’s callees said is found by no words, also not by those that part accounts', async () => {
  const id = await aCall(['a refund']);
  await readAll();
  const stranger = await aTenant(database.db);
  for (const words of ['refund', '-nothing', `=${tenant.accountId}`, `refund or "=${tenant.accountId}/20000"`, id]) {
    expect(await found(words, {}, stranger.accountId)).toEqual([]);
  }
  expect(await found('refund', { batchId: `x' | '=${tenant.accountId}/20000` }, stranger.accountId)).toEqual([]);
});

test('a call is found by what was said last, once it is over, and not while it goes on or is made again', async () => {
  const id = await aCall(['first words'], { status: 'in-progress' });
  await readAll();
  expect(await found('words')).toEqual([]);
  await change(id, `status = 'answered'`);
  await readAll();
  expect(await found('first')).toEqual([id]);
  await change(id, `transcript = transcript || '[{"speaker":"agent","text":"last"}]'`);
  await readAll();
  expect(await found('first last')).toEqual([id]);
  await change(id, `status = 'retrying'`);
  expect(await found('first')).toEqual([]);
  await change(id, `status = 'answered', transcript = '[{"speaker":"agent","text":"another time"}]'`);
  await readAll();
  expect(await found('first')).toEqual([]);
  expect(await found('another')).toEqual([id]);
});

test('words go with an erasure, with retention and with the call, at once', async () => {
  const [erased, purged, deleted] = [
    await aCall(['secret'], { to: '+12125550177' }),
    await aCall(['secret']),
    await aCall(['secret']),
  ];
  await readAll();
  expect(await found('secret')).toEqual([deleted, purged, erased]);
  await database.db.transaction().execute((tx) => eraseContact(tx, tenant.accountId, '+12125550177'));
  expect(await found('secret')).toEqual([deleted, purged]);
  await change(purged, 'transcript = null, purged_at = now()');
  await database.pool.query('delete from calls where id = $1', [deleted]);
  await readAll();
  const { rows } = await database.pool.query(
    'select call_id from transcript_words where account_id = $1 union all select call_id from unread_transcripts',
    [tenant.accountId],
  );
  expect(rows).toEqual([]);
});

test('an erasure that comes while a worker is reading the transcript waits for it, and what was read is gone', async () => {
  const id = await aCall(['secret'], { to: '+12125550178' });
  const worker = new pg.Client({ connectionString: own.url });
  await worker.connect();
  await worker.query('begin');
  await worker.query('delete from unread_transcripts where call_id = $1', [id]);
  const erasure = database.db.transaction().execute((tx) => eraseContact(tx, tenant.accountId, '+12125550178'));
  await expect.poll(() => lockWaits(database.pool)).toBe(1);
  await worker.query(
    `insert into transcript_words select id, account_id, created_at, 'secret' from calls where id = $1`,
    [id],
  );
  await worker.query('commit');
  await worker.end();
  await erasure;
  const { rows } = await database.pool.query('select 1 from transcript_words where call_id = $1', [id]);
  expect(rows).toEqual([]);
});

test('a worker that dies while it reads leaves the note, and two workers read each transcript once', async () => {
  const id = await aCall(['kept']);
  const worker = new pg.Client({ connectionString: own.url });
  await worker.connect();
  await worker.query('begin');
  await worker.query('delete from unread_transcripts where call_id = $1', [id]);
  await readAll();
  expect(await found('kept')).toEqual([]);
  await worker.query('rollback');
  await worker.end();
  await Promise.all([readAll(), readAll()]);
  expect(await found('kept')).toEqual([id]);
});

test('a transcript of anything but lines, and one of days, are read like any other', async () => {
  const strange = await aCall(['x']);
  await change(strange, `transcript = '{"a": [null, 1]}'`);
  const long = await aCall(['begin', ...Array.from({ length: 30_000 }, (_, n) => `word${n}é`), 'finish']);
  await readAll();
  expect(await found('begin')).toEqual([long]);
  expect(await found('finish')).toEqual([]);
});

test('beyond two thousand calls a search says how far it has looked, and its cursor reaches every call', async () => {
  const { db } = database;
  const count = 2_250;
  await sql`
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status, ended_as, transcript, created_at)
    select uuidv7(t - clock_timestamp()), ${tenant.accountId}, case when n < 2000 then '+1303' else '+1404' end || lpad(n::text, 7, '0'), ${tenant.number}, ${tenant.ruleId}, ${tenant.gatewayId},
      'answered', 'answered', '[{"text": "hello"}]', t
    from generate_series(1, ${count}) n cross join lateral (select now() - n * interval '10 minutes' as t) z`.execute(
    db,
  );
  await readAll();
  const filter: CallFilter = { statuses: [], search: '', words: 'hello' };
  const first = await listCalls(db, tenant.accountId, filter, { offset: 0, limit: 20 });
  expect(first.total).toEqual({ rows: 2_000, isEstimate: true });
  expect(Date.now() - (first.searchedFrom?.getTime() ?? 0)).toBeCloseTo(2_000 * 600_000, -5);

  // Of these numbers only one is among the first two thousand with the words.
  const seldom = { ...filter, search: '+1404' };
  const ids: string[] = [];
  let offset = 0;
  for (let after: readonly [string, string] | null | undefined; after !== null;) {
    const page = await listCalls(db, tenant.accountId, seldom, { offset, limit: 100, after });
    ids.push(...page.calls.map(({ call }) => call.to_number));
    offset += page.calls.length;
    expect(page.searchedFrom === null).toBe(after !== undefined);
    after = page.next;
  }
  expect(ids).toEqual(Array.from({ length: 251 }, (_, n) => `+1404000${2_000 + n}`));
});

test('transcripts from before calls were found by their words are read after the upgrade, which may be cut off', async () => {
  const { pool } = database;
  const id = await aCall(['from before']);
  await aCall(['open'], { status: 'in-progress' });
  await pool.query('truncate unread_transcripts');
  await pool.query('drop index transcript_words_search');
  await pool.query(`delete from schema_migrations where name ~ 'words-of-transcripts'`);
  expect(await migrate(pool)).toHaveLength(1);
  await readAll();
  expect(await found('before')).toEqual([id]);
});

/** Each becomes three or four letters of two bytes. */
const ligatures = 'ﷲﷳﷴﷵﷶﷷﷸﷹ';

/** Words that are different from each other, and longer than a vector holds once they are written out. */
const wordsThatGrow = Array.from({ length: 25_000 }, (_, at) =>
  Array.from(at.toString(8).padStart(5, '0'), (digit) => ligatures[Number(digit)]).join(''),
).join(' ');

test('a transcript with more words than a vector holds is found by the first of them, and holds up no other', async () => {
  const before = await aCall(['a refund']);
  const huge = await aCall([`refund ${wordsThatGrow}`]);
  const after = await aCall(['a refund']);
  const refused: string[] = [];
  while (await readTranscripts(database.db, (id) => refused.push(id)));
  expect(await found('refund')).toEqual([after, huge, before]);
  expect(refused).toEqual([]);
});

test('a transcript that PostgreSQL refuses holds up none of the others, of other accounts neither, and is told once', async () => {
  const others = [];
  for (let each = 0; each < 4; each += 1) others.unshift(await aCall(['a refund']));
  const stubborn = await aCall(['a refund']);
  await database.pool.query(`
    create function refuse_words() returns trigger language plpgsql as $$ begin
      raise exception 'what was said is refused' using errcode = 'program_limit_exceeded'; end $$;
    create trigger refuse_words before insert on transcript_words
      for each row when (new.call_id = '${stubborn}') execute function refuse_words()`);
  const refused: string[] = [];
  while (await readTranscripts(database.db, (id) => refused.push(id)));
  expect(await found('refund')).toEqual(others);
  await readTranscripts(database.db, (id) => refused.push(id));
  expect(refused).toEqual([stubborn]);
});
