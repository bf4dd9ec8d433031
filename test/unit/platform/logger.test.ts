import { expect, test } from 'vitest';
import { formatId } from '../../../domain/ids.js';
import { createLogger } from '../../../platform/logger.js';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger('worker', 'info', { write: (line: string) => void (text += line) }));
  return text;
}

test('a line says who wrote it, when, and how severe it is', () => {
  const line: unknown = JSON.parse(logged((logger) => logger.info({ batchId: 'batch_1' }, 'parsed')));
  expect(line).toMatchObject({ level: 'info', role: 'worker', batchId: 'batch_1', msg: 'parsed' });
  expect(line).toHaveProperty('time', expect.stringMatching(/^\d{4}-.*Z$/));
});

test('a call is named as the API names it, in lines of its own and of children', () => {
  const id = '0193a5f0-0000-7000-8000-000000000001';
  const lines = logged((logger) => {
    logger.info({ callId: id });
    logger.child({ callId: id }).info('child');
    logger.info({ callId: formatId('call', id) });
  });
  const ids = lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { callId: string }).callId);
  expect(ids).toEqual(Array(3).fill(formatId('call', id)));
});

test('what PostgreSQL quotes of a row is in no line about its error', () => {
  const number = '+15550001111';
  const error = Object.assign(new Error('duplicate key value violates unique constraint "numbers_key"'), {
    ...{ code: '23505', constraint: 'numbers_key', table: 'numbers' },
    ...{ detail: `Key (e164)=(${number}) already exists.`, where: number, internalQuery: number },
  });
  const text = logged((logger) => logger.error({ err: error }, 'it failed'));
  expect(text).not.toContain(number);
  expect(JSON.parse(text)).toMatchObject({ err: { code: '23505', constraint: 'numbers_key', message: error.message } });
});

test.each([
  ['a text', 'terminating connection', 'terminating connection'],
  ['nothing', undefined, undefined],
  ['null', null, null],
  ['a number', 57, 57],
  ['a frozen object', Object.freeze({ code: '57P01', detail: 'quoted' }), { code: '57P01' }],
  ['a list', [Object.freeze({ code: '57P01', where: 'quoted' })], [{ code: '57P01' }]],
])('%s in the place of an error is written down as it is, and ends nothing', (_what, err, written) => {
  const line = JSON.parse(logged((logger) => logger.warn({ err }, 'a connection was lost'))) as { err?: unknown };
  expect(line).toMatchObject({ msg: 'a connection was lost' });
  expect(line.err).toEqual(written);
});

test('whatever stands in a list of attempts is written down', () => {
  const line: unknown = JSON.parse(logged((logger) => logger.info({ attempts: [3, null, { callId: '1' }] }, 'tried')));
  expect(line).toMatchObject({ attempts: [3, null, { callId: 'call_1' }] });
});

test('a line about an error that throws when it is read is written without it', () => {
  const err = Object.defineProperty(new Error('x'), 'code', {
    enumerable: true,
    get: () => {
      throw new Error('unreadable');
    },
  });
  expect(JSON.parse(logged((logger) => logger.error({ err }, 'it failed')))).toMatchObject({
    ...{ msg: 'it failed', err: 'an error that cannot be written down' },
  });
});

test('what PostgreSQL quotes is in no line about several errors, and what was thrown stays as it was', () => {
  const one = Object.assign(new Error('one'), { code: '23505', detail: '+15550001111' });
  const wrapped = Object.assign(new Error('wrapped'), { original: one });
  const text = logged((logger) => {
    logger.error({ err: new AggregateError([one], 'all failed') });
    logger.error({ err: wrapped });
  });
  expect(text).not.toContain('+15550001111');
  expect(text.match(/23505/g)).toHaveLength(2);
  expect(one.detail).toBe('+15550001111');
});

test('attempts in a line about several are named as the API names them', () => {
  const id = '0193a5f0-0000-7000-8000-000000000001';
  const line: unknown = JSON.parse(logged((logger) => logger.info({ attempts: [{ callId: id, attempt: 2 }] }, 'two')));
  expect(line).toMatchObject({ attempts: [{ callId: formatId('call', id), attempt: 2 }] });
});

test('a room that is named after a callee is written without the number', () => {
  const text = logged((logger) => logger.child({ room: 'acc_1.+15550001111_call_x_1_1' }).info('it begins'));
  expect(text).not.toContain('15550001111');
  expect(text).toContain('_call_x_1_1');
});

test.each([
  ['a value that PostgreSQL cannot read', { code: '22P02' }, 'invalid input syntax for type integer: "Anna "A" Quill"'],
  ['a value that is too large', { code: '22003' }, 'value "Anna Quill" is out of range for type integer'],
  ['the same in the words of an activity that has failed', {}, 'invalid input syntax for type uuid: "Anna Quill"'],
  ['a document that is no JSON', {}, `Unexpected token 'A', "Anna Quill"... is not valid JSON`],
  ['a number in words of a carrier', {}, 'no route to sip:Anna.Quill@example.com or +15550001111, 15550001111'],
  ['an address of a request', {}, 'Reply was already sent in "/v1/contacts/%2B15550001111"'],
])('data that an error quotes is in no line: %s', (_what, fields, message) => {
  const inner = Object.assign(new Error(message), fields);
  const errors = [inner, new Error('outer', { cause: inner }), new AggregateError([inner], 'some failed')];
  for (const error of errors) {
    const text = logged((logger) => logger.error({ err: error }, 'it failed'));
    expect(text).not.toMatch(/Anna|Quill|5550001111/);
    expect(text).toContain('logger.test');
  }
});

test('what libraries attach to an error is in no line', () => {
  const error = Object.assign(new Error('no'), {
    statusCode: 400,
    body: 'Anna',
    input: 'Anna',
    rawPacket: Buffer.from('Anna'),
  });
  const line = JSON.parse(logged((logger) => logger.error({ err: error }))) as { err: Record<string, unknown> };
  expect(Object.keys(line.err).sort()).toEqual(['message', 'stack', 'statusCode', 'type']);
});

test('ids and the ordinary words of an error stay readable', () => {
  const words =
    'call_0193a5f0-0000-7000-8000-000000000001 of batch_0193a5f0-1111-7000-8000-000000000001: HTTP 503 after 15000 ms';
  expect(logged((logger) => logger.error({ err: new Error(words) }))).toContain(words);
});

test('secrets do not reach a line, at whichever level of it', () => {
  const secret = 'do-not-print-me';
  const text = logged((logger) => {
    logger.info({ password: secret, token: secret, apiKey: secret });
    logger.info({ gateway: { auth: { username: 'me', password: secret } } });
    logger.info({ req: { headers: { authorization: secret } }, order: { gateway: { auth: { password: secret } } } });
    logger.child({ secret }).info('child');
  });
  expect(text).not.toContain(secret);
  expect(text).toContain('"username":"me"');
});

test('what is less severe than asked for is not written', () => {
  expect(logged((logger) => logger.debug('chatter'))).toBe('');
});
