import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RecordStatus } from '../../../domain/call/call.js';
import { api, here } from '../support.js';
import { aBatch } from './support.js';

describe('200', () => {
  interface Call {
    readonly to: string;
    readonly status: RecordStatus;
    /** JSON */
    readonly metadata?: string;
    readonly more?: Readonly<Record<string, unknown>>;
  }

  const calls: Call[] = [
    { to: '+919877000001', status: 'pending', metadata: '{"name":"Asha","10":"ten","2":"two"}' },
    {
      to: '+919877000002',
      status: 'answered',
      metadata: '{"name":"Ravi \\"R\\" Kumar"}',
      more: {
        attempts_made: 1,
        answered_by: 'human',
        talk_seconds: 12.3456,
        sip_status_code: 200,
        analysis: '{"kept": true, "day": "Sunday"}',
      },
    },
    {
      to: '+919877000003',
      status: 'retrying',
      metadata: '{"__proto__":"a","constructor":"b"}',
      more: { attempts_made: 1, sip_status_code: 486, next_attempt_at: '2026-11-21T15:00:00Z' },
    },
    {
      to: '+919877000004',
      status: 'failed',
      more: { attempts_made: 2, reason: 'invalid_number', sip_status_code: 484 },
    },
    { to: '+919877000005', status: 'cancelled', metadata: '{"name":"100%"}', more: { reason: 'batch_cancelled' } },
    { to: '+919877000006', status: 'pending', metadata: '{"name":"Ärger"}' },
  ];

  let batchId = '';
  const ids: string[] = [];

  beforeAll(async () => {
    const { db } = here().database;
    const counts = { pending: 2, answered: 1, retrying: 1, failed: 1, cancelled: 1 };
    const batch = await aBatch({ counts });
    ({ batchId } = batch);
    for (const [position, { to, status, metadata = '{}', more = {} }] of calls.entries()) {
      const id = uuidv7();
      ids.push(id);
      const given = {
        attempts_made: 0,
        answered_by: null,
        talk_seconds: null,
        sip_status_code: null,
        reason: null,
        analysis: null,
        ...more,
      };
      const { next_attempt_at: next = null } = more;
      await sql`insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status,
        metadata, attempts_made, answered_by, talk_seconds, sip_status_code, reason, next_attempt_at, analysis)
      values (${id}, ${here().me.account.id}, ${batchId}, ${position}, ${to}, '+1', 'r', 'g', ${status}, ${metadata},
        ${given.attempts_made}, ${given.answered_by}, ${given.talk_seconds}, ${given.sip_status_code}, ${given.reason},
        ${next}, ${given.analysis})`.execute(db);
    }
  });

  interface Page {
    readonly pageInfo: { readonly total: number; readonly lastPage: number };
    readonly data: readonly Record<string, unknown>[];
  }

  const list = async (query = '') => {
    const { status, body, text } = await api.get(`/v1/batch-calls/${batchId}/records${query}`);
    if (status !== 200) throw new Error(text);
    return body as Page;
  };

  /** Last digits of the numbers on the page, and the total. */
  const digits = async (query: string) => {
    const { data, pageInfo } = await list(query);
    return [data.map(({ phoneNumber }) => String(phoneNumber).slice(-1)).join(''), pageInfo.total];
  };

  // shows: batches.records
  test('records come in the order of the file, a record and its call under one UUID', async () => {
    const { data, pageInfo } = await list();
    const times = { createdAt: expect.stringMatching(/\.\d{3}Z$/), updatedAt: expect.stringMatching(/\.\d{3}Z$/) };
    const both = (index: number) => ({ recordId: `rec_${ids[index] ?? ''}`, callId: `call_${ids[index] ?? ''}` });

    expect(pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 6 });
    expect(data.slice(0, 4)).toEqual([
      {
        ...both(0),
        phoneNumber: '+919877000001',
        metadata: { name: 'Asha', 10: 'ten', 2: 'two' },
        status: 'pending',
        attempts: 0,
        ...times,
      },
      {
        ...both(1),
        phoneNumber: '+919877000002',
        metadata: { name: 'Ravi "R" Kumar' },
        status: 'answered',
        answeredBy: 'human',
        sipStatusCode: 200,
        attempts: 1,
        callDuration: 12.346,
        analysis: { kept: true, day: 'Sunday' },
        endedAt: times.createdAt,
        ...times,
      },
      {
        ...both(2),
        phoneNumber: '+919877000003',
        metadata: expect.anything(),
        status: 'retrying',
        sipStatusCode: 486,
        attempts: 1,
        nextAttemptAt: '2026-11-21T15:00:00.000Z',
        ...times,
      },
      {
        ...both(3),
        phoneNumber: '+919877000004',
        metadata: {},
        status: 'failed',
        reason: 'invalid_number',
        sipStatusCode: 484,
        attempts: 2,
        endedAt: times.createdAt,
        ...times,
      },
    ]);
  });

  // shows: batch.create.metadata, rows.proto
  test('any name of a column survives', async () => {
    const { text } = await api.get(`/v1/batch-calls/${batchId}/records?status=retrying`);
    expect(text).toContain('"metadata":{"__proto__":"a","constructor":"b"}');
  });

  describe('filters', () => {
    // shows: batches.records
    test.each([
      ['one status', '?status=pending', '16', 2],
      ['several', '?status=failed,answered', '24', 2],
      ['one named twice', '?status=pending,pending', '16', 2],
      ['one that no record has', '?status=missed', '', 0],
      ['part of the number', '?search=7000004', '4', 1],
      ['a whole number, its + as a space', '?search=+919877000004', '4', 1],
      ['a value of the row in any casing', '?search=ASHA', '1', 1],
      ['a value with quotes', `?search=${encodeURIComponent('"r" k')}`, '2', 1],
      ['a value beyond ASCII', `?search=${encodeURIComponent('ärg')}`, '6', 1],
      ['names of columns do not match', '?search=name', '', 0],
      ['a percent sign means itself', '?search=%25', '5', 1],
      ['a reason', '?reason=invalid_number,batch_cancelled', '45', 2],
      ['a reason by its SIP code, that none has', '?reason=sip_503', '', 0],
      ['attempts of calls that go on and that are over', '?attempts=1', '23', 2],
      ['none yet', '?attempts=0', '156', 3],
      ['a code', '?sipStatusCode=486,484', '34', 2],
      ['who answered', '?answeredBy=human', '2', 1],
      ['who answered, which is known of answered ones only', '?answeredBy=human&status=retrying', '', 0],
      ['what was found out', '?analysis.kept=true', '2', 1],
      ['what was found out, several', '?analysis.kept=true&analysis.day=Monday', '', 0],
      ['how long it talked', '?duration=12-13', '2', 1],
      ['at most so long', '?duration=-12', '', 0],
      ['at least so long', '?duration=12.3-', '2', 1],
      ['a variant that none got', '?variant=agt_none', '', 0],
      ['several filters together', '?attempts=1&sipStatusCode=486&reason=', '3', 1],
      ['status and search together', '?status=pending&search=9877', '16', 2],
    ])('%s', async (_what, query, found, total) => expect(await digits(query)).toEqual([found, total]));
  });

  describe('sorted', () => {
    // shows: batches.records
    test.each([
      ['phoneNumber', '123456'],
      ['-phoneNumber', '654321'],
      ['-position', '654321'],
      ['status', '254136'],
      ['-status', '452631'],
      ['reason', '541236'],
      ['-attempts', '425631'],
      ['callDuration', '213456'],
      ['sipStatusCode&status=failed,answered', '24'],
      ['answeredBy', '213456'],
    ])('%s', async (sort, found) => expect((await digits(`?sort=${sort}`))[0]).toBe(found));

    test('cursors follow the order, and belong to it', async () => {
      const first = await list('?sort=-phoneNumber&perPage=4&cursor=');
      const cursor = encodeURIComponent(String((first.pageInfo as { nextCursor?: string }).nextCursor));
      expect(await digits(`?sort=-phoneNumber&perPage=4&cursor=${cursor}`)).toEqual(['21', 6]);
      const { status } = await api.get(
        `/v1/batch-calls/${batchId}/records?sort=phoneNumber&perPage=4&cursor=${cursor}`,
      );
      expect(status).toBe(400);
    });
  });

  test('endedAt is when the call was over, and of no other', async () => {
    const { data } = await list();
    expect(data.map((record) => typeof record.endedAt)).toEqual([
      'undefined',
      'string',
      'undefined',
      'string',
      'string',
      'undefined',
    ]);
  });

  test('pages go through all of them once', async () => {
    expect(await digits('?perPage=4&page=1')).toEqual(['1234', 6]);
    expect(await digits('?perPage=4&page=2')).toEqual(['56', 6]);
    expect(await digits('?perPage=4&page=3')).toEqual(['', 6]);
    expect(await digits('?perPage=1&page=2&status=pending')).toEqual(['6', 2]);
  });

  test('before the file has been read there are none', async () => {
    const parsing = await aBatch({ status: 'parsing' });
    const { body } = await api.get(`/v1/batch-calls/${parsing.batchId}/records`);
    expect(body).toMatchObject({ pageInfo: { total: 0, lastPage: 1 }, data: [] });
  });

  test.each([
    'status=done',
    'perPage=101',
    'page=0',
    'reason=bored',
    'attempts=-1',
    'sipStatusCode=99',
    'answeredBy=dog',
    'sort=colour',
    'analysis.=1',
    'analysis.kept=1&analysis.kept=2',
    `analysis.kept=${'x'.repeat(201)}`,
  ])('%s is refused', async (query) => {
    const { status, body } = await api.get(`/v1/batch-calls/${batchId}/records?${query}`);
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringContaining(query.split('=')[0] ?? '') },
    });
  });
});
