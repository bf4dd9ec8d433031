import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { followClocks } from '../../cli/roles/clocks.js';
import { timeZoneFinding } from '../../cli/doctor/installation.js';
import { openDatabase, type Database } from '../../db/client.js';
import { clocksOfZones } from '../../db/queries/upkeep/clocks-of-zones.js';
import { canonicalZone, clocksOf, clocksRevision, learnClocks, stretchAt } from '../../domain/call/time-zone.js';
import { createLogger } from '../../platform/logger.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

let testing: TestDatabase;
let database: Database;
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 1, name: 'test' });
});
afterEach(() => learnClocks(new Map(), -Infinity));
afterAll(async () => {
  await database.close();
  await testing.close();
});

const zones = [
  ...['America/Vancouver', 'Europe/Chisinau', 'Europe/Berlin', 'Africa/Casablanca', 'Africa/Cairo', 'Asia/Beirut'],
  ...['Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago', 'Antarctica/Troll', 'Pacific/Apia'],
];

test('the clocks that are learnt show what PostgreSQL shows, in every hour of a year, and what the judges of hours ask', async () => {
  const now = new Date();
  const learnt = await clocksOfZones(database.db, now);
  learnClocks(learnt.zones, learnt.untilMs);
  for (const zone of zones) {
    const { rows } = await sql<{ at: Date; offsetMs: number }>`
      select d.at, extract(epoch from (d.at at time zone ${zone}) - (d.at at time zone 'UTC'))::integer * 1000 as "offsetMs"
      from generate_series(${now}::timestamptz, ${now}::timestamptz + interval '390 days', interval '1 hour') d (at)`.execute(
      database.db,
    );
    const clock = clocksOf(zone).at(-1) ?? zone;
    const differing = rows.filter(({ at, offsetMs }) => stretchAt(clock, at.getTime()).offsetMs !== offsetMs);
    expect({ zone, differing }).toEqual({ zone, differing: [] });
  }
});

test('a name that PostgreSQL takes for an abbreviation that knows no summer is no second clock', async () => {
  const learnt = await clocksOfZones(database.db, new Date());
  learnClocks(learnt.zones, learnt.untilMs);
  expect(['CET', 'EET', 'MET', 'WET'].flatMap(clocksOf)).toEqual(['CET', 'EET', 'MET', 'WET']);
});

test('a role has learnt the clocks when it starts, and starts without them if the database is away', async () => {
  const logger = createLogger('dialer', 'silent');
  const before = clocksRevision();
  await followClocks('postgres://outdial@127.0.0.1:1/none', logger);
  expect(clocksRevision()).toBe(before);
  await followClocks(testing.url, logger);
  expect(clocksRevision()).toBe(before + 1);
});

test('every name that is taken for a zone is one that PostgreSQL knows, in any casing', async () => {
  const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(database.db);
  const known = new Set(rows.map(({ name }) => name));
  const dropped = ['SystemV/PST8PDT', 'systemv/EST5', 'US/Pacific-New'];
  const names = [...Intl.supportedValuesOf('timeZone'), ...known, ...dropped].flatMap((name) => [
    name,
    name.toLowerCase(),
  ]);
  const unknown = names.filter((name) => !known.has(canonicalZone(name) ?? 'UTC'));
  expect(unknown).toEqual([]);
});

test('doctor names the zones whose clocks Node.js and PostgreSQL have otherwise', () => {
  expect(timeZoneFinding([], ['America/Vancouver'])).toMatchObject({
    ...{ state: 'warning', message: expect.stringContaining('America/Vancouver') },
  });
  expect(timeZoneFinding([], [])).toMatchObject({ state: 'ok' });
});
