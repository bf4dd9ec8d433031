import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { formatId } from '../../../domain/ids.js';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aBatchOf } from './support-records.js';
import { aBatch } from './support.js';

describe('200', () => {
  const results = [
    'status',
    'reason',
    'sip_status_code',
    'attempts',
    'call_id',
    'call_duration',
    'answered_by',
    'last_attempt_at',
    'next_attempt_at',
    'called_back_by',
  ];

  async function exported(batchId: string, query = '') {
    const response = await api.get(`/v1/batch-calls/${batchId}/records/export${query}`);
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    return { ...response, rows: parse(response.text) };
  }

  // shows: batches.export
  test('the columns of the upload come first, in their order, then the results', async () => {
    const { batchId, callIds } = await aBatchOf(
      [
        { phoneNumber: '+919877300001', metadata: { name: 'Asha "A", née\nRao', city: '' }, reason: 'callee_hung_up' },
        { phoneNumber: '+919877300002', status: 'missed', metadata: { name: 'Bo', city: 'Köln' }, reason: 'busy' },
        { phoneNumber: '+919877300003', status: 'pending', metadata: { name: 'Cy', city: 'Oslo' } },
      ],
      { status: 'running', columns: ['name', 'phone_number', 'city'] },
    );
    const id = (place: number) => formatId('call', callIds[place]!);
    const dialed = '2027-03-01T04:00:07.120Z';

    const { rows, text } = await exported(batchId);

    expect(rows).toEqual([
      ['name', 'phone_number', 'city', ...results],
      [
        'Asha "A", née\nRao',
        '+919877300001',
        '',
        'answered',
        'callee_hung_up',
        '200',
        '1',
        id(0),
        '42.5',
        'human',
        dialed,
        '',
        '',
      ],
      ['Bo', '+919877300002', 'Köln', 'missed', 'busy', '486', '1', id(1), '', '', dialed, '', ''],
      ['Cy', '+919877300003', 'Oslo', 'pending', '', '', '0', id(2), '', '', '', '', ''],
    ]);
    expect(text.endsWith('\r\n')).toBe(true);
  });

  // shows: analysis.export
  test('what calls were analyzed for has columns, and how that went', async () => {
    const { batchId } = await aBatchOf([
      { phoneNumber: '+919877300031' },
      { phoneNumber: '+919877300032' },
      { phoneNumber: '+919877300033', status: 'missed' },
    ]);
    await rowsOf(`update batches set analysis_fields = '{kept,note,questions}' where id = $1`, [batchId]);
    await rowsOf(
      `update calls set analysis = '{"kept": false, "note": "=1+1", "questions": 0, "other": 1}', success = false
       where batch_id = $1 and position = 0`,
      [batchId],
    );
    await rowsOf(`update calls set analysis_error = 'refused' where batch_id = $1 and position = 1`, [batchId]);

    const { rows } = await exported(batchId);

    expect(rows.map((row) => row.slice(-5))).toEqual([
      ['analysis_kept', 'analysis_note', 'analysis_questions', 'success', 'analysis_error'],
      ['false', "'=1+1", '0', 'false', ''],
      ['', '', '', '', 'refused'],
      ['', '', '', '', ''],
    ]);
    const { body } = await api.get(`/v1/batch-calls/${batchId}/records`);
    expect(body).toMatchObject({
      data: [
        { analysis: { kept: false, questions: 0 }, success: false },
        { analysisError: 'refused' },
        { status: 'missed' },
      ],
    });
  });

  // shows: batches.export
  test('summaries and transcripts are columns if they are asked for', async () => {
    const { batchId } = await aBatchOf([
      { phoneNumber: '+919877300041' },
      { phoneNumber: '+919877300042', status: 'missed' },
    ]);
    const transcript = [
      { speaker: 'agent', text: 'Hello?' },
      { speaker: 'callee', text: 'Yes, "hello".' },
      { tool: 'end' },
    ];
    await rowsOf(`update calls set summary = '=She keeps it.', transcript = $2 where batch_id = $1 and position = 0`, [
      batchId,
      JSON.stringify(transcript),
    ]);
    const both = (await exported(batchId, '?include=transcript,summary')).rows;
    expect(both.map((row) => row.slice(-2))).toEqual([
      ['summary', 'transcript'],
      ["'=She keeps it.", 'agent: Hello?\ncallee: Yes, "hello".'],
      ['', ''],
    ]);
    expect((await exported(batchId, '?include=summary')).rows[0]?.at(-1)).toBe('summary');
    expect((await exported(batchId)).rows[0]?.at(-1)).toBe('called_back_by');
  });

  // shows: batches.export
  test('of a batch call with several numbers, a column has the one that the last attempt was made from', async () => {
    const { batchId, callIds } = await aBatchOf([
      { phoneNumber: '+919877300051', status: 'missed' },
      { phoneNumber: '+919877300052', status: 'missed' },
      { phoneNumber: '+919877300053', status: 'pending' },
    ]);
    expect((await exported(batchId)).rows[0]).not.toContain('called_from');
    const numbers = ['+14155550101', '+14155550102'];
    await rowsOf(`update batches set phone_numbers = $2 where id = $1`, [batchId, numbers]);
    await rowsOf(`update calls set from_number = $2 where batch_id = $1`, [batchId, numbers[0]]);
    await rowsOf(`update call_attempts set caller = $2 where call_id = $1`, [callIds[1], numbers[1]]);

    const { rows } = await exported(batchId);

    expect(rows.map((row) => row.at(-1))).toEqual(['called_from', numbers[0], numbers[1], '']);
  });

  // shows: batches.export
  test('what is filtered in the list is exported, page after page', async () => {
    const { batchId, route } = await aBatch({ status: 'completed' });
    await rowsOf(
      `insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status, reason, attempts_made,
         analysis, metadata)
       select gen_random_uuid(), $2, $1, n, '+1212555' || lpad(n::text, 4, '0'), $3, $4, $5, case n % 3 when 0 then 'missed' else 'failed' end,
         case n % 2 when 0 then 'busy' else 'no_answer' end, 1 + n % 2, jsonb_build_object('kept', n % 5 = 0), json_build_object('n', n)
       from generate_series(0, 2499) n`,
      [batchId, here().me.account.id, route.phoneNumber, route.ruleId, route.gatewayId],
    );
    const places = async (query: string) =>
      (await exported(batchId, query)).rows.slice(1).map(([number]) => Number(number?.slice(-4)));
    const all = Array.from({ length: 2_500 }, (_unused, place) => place);
    expect(await places('?status=failed')).toEqual(all.filter((n) => n % 3 > 0));
    expect(await places('?status=failed,missed&attempts=1')).toEqual(all.filter((n) => n % 2 === 0));
    expect(await places('?reason=no_answer&status=missed')).toEqual(all.filter((n) => n % 6 === 3));
    expect(await places('?analysis.kept=true')).toEqual(all.filter((n) => n % 5 === 0));
    expect(await places('?analysis.kept=true&reason=busy&include=transcript')).toEqual(all.filter((n) => n % 10 === 0));
    expect(await places('?search=5550123')).toEqual([123]);
    expect(await places('?sipStatusCode=486')).toEqual([]);
  });

  // shows: batches.export.formulas
  test('cells that a spreadsheet would run are defused, in the header too; phone numbers stay as they are', async () => {
    const evil = ['=1+1', '+SUM(A1)', '-2+3', '@cmd', '\tx', '\rx', '＝1', '+919812345678', 'a=b', '', "'quoted"];
    const columns = evil.map((_cell, index) => `c${index}`);
    const metadata = Object.fromEntries(evil.map((cell, index) => [`c${index}`, cell]));
    const { batchId } = await aBatchOf([{ phoneNumber: '+919877300011', metadata: { ...metadata, '=cmd': '1' } }], {
      columns: ['phone_number', ...columns, '=cmd'],
    });

    const { rows } = await exported(batchId);

    expect(rows[0]![12]).toBe("'=cmd");
    expect(rows[1]!.slice(0, 12)).toEqual([
      '+919877300011',
      ...["'=1+1", "'+SUM(A1)", "'-2+3", "'@cmd", "'\tx", "'\rx", "'＝1", '+919812345678', 'a=b', '', "'quoted"],
    ]);
  });

  test('result columns that the upload has too, and columns of any name, lose nothing', async () => {
    const metadata = JSON.parse('{"Status":"vip","result_status":"old","__proto__":"p","constructor":"c"}') as object;
    const { batchId } = await aBatchOf([{ phoneNumber: '+919877300021' }, { phoneNumber: '+919877300022' }], {
      columns: ['phone_number', 'Status', 'result_status', '__proto__', 'constructor', 'toString'],
    });
    await rowsOf(`update calls set metadata = $2 where batch_id = $1 and position = 0`, [
      batchId,
      JSON.stringify(metadata),
    ]);

    const { rows } = await exported(batchId);

    expect(rows[0]!.slice(1, 8)).toEqual([
      ...['Status', 'result_status', '__proto__', 'constructor', 'toString'],
      ...['result_result_status', 'reason'],
    ]);
    expect(rows[1]!.slice(1, 7)).toEqual(['vip', 'old', 'p', 'c', '', 'answered']);
    expect(rows[2]!.slice(1, 7)).toEqual(['', '', '', '', '', 'answered']);
  });

  test.each([
    [
      'March "reminders"\r\n../x',
      'attachment; filename="March reminders .. x-records.csv"; filename*=UTF-8\'\'March%20reminders%20..%20x-records.csv',
    ],
    [
      'Erinnerung für Köln',
      'attachment; filename="Erinnerung fur Koln-records.csv"; filename*=UTF-8\'\'Erinnerung%20f%C3%BCr%20K%C3%B6ln-records.csv',
    ],
    ['🔥', 'attachment; filename="batch-call-records.csv"; filename*=UTF-8\'\'%F0%9F%94%A5-records.csv'],
  ])('the file of %j is saved under a safe name', async (name, header) => {
    const { batchId } = await aBatch({ name, status: 'completed' });
    expect((await exported(batchId)).headers['content-disposition']).toBe(header);
  });

  test('a batch without records is a header alone', async () => {
    const { batchId } = await aBatch({ status: 'parse_failed' });
    expect((await exported(batchId)).rows).toEqual([['phone_number', ...results]]);
  });

  // shows: batches.export
  test('a large batch comes whole and in order, page after page', async () => {
    const { batchId, route } = await aBatch({ status: 'completed' });
    await rowsOf(
      `insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status)
     select gen_random_uuid(), $2, $1, n, '+1212555' || lpad(n::text, 4, '0'), $3, $4, $5, 'missed'
     from generate_series(0, 2499) n`,
      [batchId, here().me.account.id, route.phoneNumber, route.ruleId, route.gatewayId],
    );
    const { rows } = await exported(batchId);
    expect(rows.slice(1).map(([number]) => number)).toEqual(
      Array.from({ length: 2_500 }, (_unused, place) => `+1212555${String(place).padStart(4, '0')}`),
    );
  });
});
