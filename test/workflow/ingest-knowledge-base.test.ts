import { Response } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { beginReading, countLostDocumentReader, storeDocument } from '../../db/queries/knowledge/ingest.js';
import { insertKnowledgeBase, type StoredDocument } from '../../db/queries/knowledge/knowledge-bases.js';
import { searchKnowledgeBases } from '../../db/queries/knowledge/search.js';
import { formatId } from '../../domain/ids.js';
import { ForbiddenDestination } from '../../platform/outbound-url.js';
import { docxOf } from '../unit/knowledge/documents.js';
import { aTenant } from './fixtures.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

type Answer = () => Response | Promise<Response>;

let testEnv: TimeSkippingTestEnv;
let accountId: string;
/** What the network answers, by URL; asked in order, the last one for ever. */
let network: Record<string, Answer[]> = {};
let asked: string[] = [];

beforeAll(async () => {
  testEnv = await timeSkippingTestEnv({
    fetchOutside: async (url) => {
      asked.push(url);
      const answers = network[url] ?? [];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined)
        throw new TypeError('fetch failed', { cause: new Error(`getaddrinfo ENOTFOUND ${url}`) });
      return answer();
    },
  });
});
afterAll(() => testEnv.close());
beforeEach(async () => {
  ({ accountId } = await aTenant(testEnv.database.db));
  network = {};
  asked = [];
});

const text = (words: string): StoredDocument => ({ kind: 'text', bytes: Buffer.from(words) });
const page = (html: string, headers: Record<string, string> = { 'content-type': 'text/html' }): Answer => {
  return () => new Response(html, { headers });
};
const status = (code: number, headers: Record<string, string> = {}): Answer => {
  return () => new Response(null, { status: code, headers });
};

async function stored(document: StoredDocument | null, url: string | null = null): Promise<string> {
  const id = formatId('knowledgeBase', uuidv7());
  const source = url === null ? 'text' : 'url';
  await insertKnowledgeBase(testEnv.database.db, { id, account_id: accountId, name: 'KB', source, url }, document);
  return id;
}

async function ingested(knowledgeBaseId: string) {
  await testEnv.workflows.start('ingestKnowledgeBase', knowledgeBaseId, { accountId, knowledgeBaseId });
  await testEnv.client.workflow.getHandle(knowledgeBaseId).result();
  return state(knowledgeBaseId);
}

const state = (id: string) =>
  testEnv.database.db
    .selectFrom('knowledge_bases')
    .select(['status', 'reason', 'language', 'search_config', 'passages'])
    .where('id', '=', id)
    .executeTakeFirst();
const passages = (id: string) =>
  testEnv.database.db
    .selectFrom('knowledge_base_passages')
    .select(['position', 'text'])
    .where('knowledge_base_id', '=', id)
    .orderBy('position')
    .execute();
const run = (statement: string) => testEnv.database.pool.query(statement);

const long = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} says. ${'So it goes on here. '.repeat(40)}`);

// shows: knowledge.text
test('a text becomes ready: its language known, its passages in order and found', async () => {
  const id = await stored(text(long.join('\n\n')));

  expect(await ingested(id)).toEqual({
    status: 'ready',
    reason: null,
    language: 'en',
    search_config: 'english',
    passages: 40,
  });

  expect((await passages(id)).map(({ position }) => position)).toEqual(Array.from({ length: 40 }, (_, i) => i));
  const [best] = await searchKnowledgeBases(testEnv.database.db, accountId, [id], 'paragraphs 17', 3);
  expect(best).toMatchObject({ knowledgeBaseId: id, position: 17, text: expect.stringContaining('Paragraph 17 says') });
});

// shows: knowledge.file
test('a Word document is read', async () => {
  const id = await stored({ kind: 'docx', bytes: docxOf(['Rückgabe', 'Bestellungen können zurückgegeben werden.']) });
  expect(await ingested(id)).toMatchObject({ status: 'ready', search_config: 'german' });
});

test('a fetch that fails after another one has brought the document takes nothing back', async () => {
  const url = 'https://a.example/page';
  const id = await stored(null, url);
  const ref = { accountId, knowledgeBaseId: id };
  const overtaken = async () => {
    await storeDocument(testEnv.database.db, ref, text('Open from nine to five.'));
    return status(404)();
  };
  network = { [url]: [overtaken] };
  expect(await ingested(id)).toMatchObject({ status: 'ready', reason: null });
});

test('a document that cannot be read makes it failed, and says why', async () => {
  const id = await stored({ kind: 'pdf', bytes: Buffer.from('no pdf') });
  expect(await ingested(id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('as a PDF') });
  expect(await passages(id)).toEqual([]);
});

// shows: knowledge.url
test('a URL is fetched, through redirects, and read as what the server says it is', async () => {
  network = {
    'https://a.example/old': [status(301, { location: '/new' })],
    'https://a.example/new': [status(302, { location: 'https://b.example/page' })],
    'https://b.example/page': [page('<p>Orders can be returned within thirty days.</p>')],
  };
  const id = await stored(null, 'https://a.example/old');
  expect(await ingested(id)).toMatchObject({ status: 'ready', language: 'en' });
  expect((await passages(id)).map((passage) => passage.text)).toEqual(['Orders can be returned within thirty days.']);
});

// shows: knowledge.url
test('each redirect is asked of the guard: one to a forbidden place is not followed', async () => {
  network = {
    'https://a.example/': [status(302, { location: 'http://169.254.169.254/latest' })],
    'http://169.254.169.254/latest': [
      () => {
        throw new ForbiddenDestination('The URL must not point to a private or reserved address');
      },
    ],
  };
  expect(await ingested(await stored(null, 'https://a.example/'))).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('may not be fetched'),
  });
  expect(asked).toHaveLength(2);
});

test.each<[string, Record<string, Answer[]>, RegExp]>([
  ['404', { 'https://a.example/': [status(404)] }, /answered 404/],
  ['an endless redirect', { 'https://a.example/': [status(302, { location: '/' })] }, /more than 5 times/],
  ['a picture', { 'https://a.example/': [page('x', { 'content-type': 'image/png' })] }, /is image\/png/],
  [
    'more than 10 MB, as it says',
    { 'https://a.example/': [page('x', { 'content-type': 'text/plain', 'content-length': '10485761' })] },
    /larger than 10 MB/,
  ],
  [
    'more than 10 MB, as it turns out',
    { 'https://a.example/': [page('x'.repeat(10_485_761), { 'content-type': 'text/plain' })] },
    /larger than 10 MB/,
  ],
  ['nothing', { 'https://a.example/': [page('<p> </p>')] }, /no text/],
])('a URL with %s fails at once, and says why', async (_what, answers, words) => {
  network = answers;
  const id = await stored(null, 'https://a.example/');
  expect(await ingested(id)).toMatchObject({ status: 'failed', reason: expect.stringMatching(words) });
});

test('a server that is away for a while is asked again, up to four times', async () => {
  network = { 'https://a.example/': [status(503), status(429), page('<p>There it is.</p>')] };
  expect(await ingested(await stored(null, 'https://a.example/'))).toMatchObject({ status: 'ready' });
  expect(asked).toHaveLength(3);

  asked = [];
  expect(await ingested(await stored(null, 'https://gone.example/'))).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('could not be reached'),
  });
  expect(asked).toHaveLength(4);
});

// shows: knowledge.durable
test('tries that die half-way leave nothing, however many, and the next leaves one set of passages', async () => {
  await run('create sequence deaths');
  await run(`create function die_often() returns trigger language plpgsql as $$
    begin
      if nextval('deaths') <= 5 then raise exception 'killed' using errcode = 'admin_shutdown'; end if;
      return new;
    end $$`);
  await run(`create trigger die before insert on knowledge_base_passages for each row when (new.position = 30)
    execute function die_often()`);
  const id = await stored(text(long.join('\n\n')));

  expect(await ingested(id)).toMatchObject({ status: 'ready', passages: 40 });

  expect(await passages(id)).toHaveLength(40);
  const { rows } = await run('select last_value::int from deaths');
  expect(rows).toEqual([{ last_value: 6 }]);
  await run('drop trigger die on knowledge_base_passages');
});

test('read twice at the same time it has one set of passages', async () => {
  const id = await stored(text(long.join('\n\n')));
  const input = { accountId, knowledgeBaseId: id };
  const other = `${id}-again`;
  await Promise.all([
    testEnv.workflows.start('ingestKnowledgeBase', id, input),
    testEnv.workflows.start('ingestKnowledgeBase', other, input),
  ]);
  // Waiting for results would let the server skip time over activities that are running.
  const ended = async (workflowId: string) =>
    (await testEnv.client.workflow.getHandle(workflowId).describe()).status.name === 'COMPLETED';
  await testEnv.until(async () => (await ended(id)) && (await ended(other)));
  expect(await state(id)).toMatchObject({ status: 'ready', passages: 40 });
  expect(await passages(id)).toHaveLength(40);
});

test('one that is deleted while it is fetched is gone, and nothing of it is left', async () => {
  const id = await stored(null, 'https://a.example/');
  network = {
    'https://a.example/': [
      async () => {
        await testEnv.database.db.deleteFrom('knowledge_bases').where('id', '=', id).execute();
        return new Response('Hello', { headers: { 'content-type': 'text/plain' } });
      },
    ],
  };
  expect(await ingested(id)).toBeUndefined();
  expect((await run('select 1 from knowledge_base_documents where knowledge_base_id = ' + `'${id}'`)).rows).toEqual([]);
});

/** Readers that died, which their workers have seen, and then workers that were killed at it. */
async function lose(id: string, lost: { readonly readers: number; readonly workers: number }): Promise<void> {
  const { db } = testEnv.database;
  const ref = { accountId, knowledgeBaseId: id };
  for (let left = lost.readers; left > 0; left--) await countLostDocumentReader(db, ref);
  for (let left = lost.workers; left > 0; left--) await beginReading(db, ref, `worker ${left}`);
}

// shows: knowledge.durable
test.each([
  { readers: 3, workers: 0 },
  { readers: 2, workers: 3 },
  { readers: 0, workers: 9 },
])('a document that has cost so many, %j, is given up with words', async (lost) => {
  const id = await stored(text('Hello'));
  await lose(id, lost);
  expect(await ingested(id)).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('interrupted again and again'),
  });
});

test('a document of which PostgreSQL takes no passage is given up with words, and holds up none that comes after it', async () => {
  const id = await stored(text('Hello'));
  await run(`create function too_much() returns trigger language plpgsql as $$ begin
      raise exception 'more than it takes' using errcode = 'program_limit_exceeded'; end $$;
    create trigger too_much before insert on knowledge_base_passages for each row
      when (new.knowledge_base_id = '${id}') execute function too_much()`);
  expect(await ingested(id)).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('interrupted again and again'),
  });
  expect(await ingested(await stored(text('Hello')))).toMatchObject({ status: 'ready' });
  await run('drop function too_much cascade');
});

test.each([
  { readers: 2, workers: 2 },
  { readers: 0, workers: 8 },
])('a document is read after it has cost no more than %j', async (lost) => {
  const id = await stored(text('Hello'));
  await lose(id, lost);
  expect(await ingested(id)).toMatchObject({ status: 'ready' });
});
