import { describe, expect, test } from 'vitest';
import { noDefaults } from '../../../domain/account/defaults.js';
import { batchFileExtension, readBatchForm } from '../../../domain/batch/form.js';

const now = new Date('2026-11-21T14:28:00Z');
const endpointProblem = (endpoint: string) => (endpoint.startsWith('https://') ? null : 'must be an https URL');

const good = { name: 'Reminders', phoneNumber: '+919877012345' };

function read(
  fields: Readonly<Record<string, string>>,
  filename: string | null = 'people.csv',
  repeated: string[] = [],
) {
  return readBatchForm({ texts: new Map(Object.entries(fields)), repeated, filename }, { now, endpointProblem });
}

const linesOf = (...form: Parameters<typeof read>) => {
  const found = read(...form);
  return 'problems' in found ? found.problems.map(({ path, message }) => `${path}: ${message}`) : [];
};
const formOf = (...form: Parameters<typeof read>) => {
  const found = read(...form);
  if ('problems' in found) throw new Error(JSON.stringify(found.problems));
  return found.form;
};
/** The paths that are complained about when this field is added to a good form. */
const pathsOf = (field: string, value: unknown) =>
  linesOf({ ...good, [field]: typeof value === 'string' ? value : JSON.stringify(value) }).map(
    (line) => line.split(': ')[0],
  );

test('the smallest form says the rest by default', () => {
  expect(formOf(good)).toEqual({
    filename: 'people.csv',
    extension: 'csv',
    name: 'Reminders',
    description: null,
    phoneNumber: '+919877012345',
    phoneNumberId: null,
    phoneNumbers: null,
    numberOnRetry: null,
    routingRuleId: null,
    schedule: null,
    retry: null,
    webhook: null,
    callingWindow: null,
    maxConcurrentCalls: null,
    variants: null,
    open: false,
    priority: 5,
    columns: null,
    duplicates: 'call',
    missingPlus: 'reject',
    defaultCountry: null,
    unfilledPlaceholders: 'allow',
    stopAfter: null,
    until: null,
    maxCost: null,
    preDial: null,
  });
});

// shows: batch.create.stop
test('when a batch stops is read, and each mistake in it is named', () => {
  const until = '2026-12-01T18:00:00+01:00';
  expect(formOf({ ...good, stopAfter: '{"success":3}', until })).toMatchObject({
    stopAfter: { success: 3 },
    until: '2026-12-01T17:00:00.000Z',
  });
  const wrong = (fields: Readonly<Record<string, string>>) => linesOf({ ...good, ...fields });
  expect(wrong({ stopAfter: '{"answered":0}', until: 'tomorrow' })).toEqual([
    'stopAfter.answered: must be at least 1',
    'until: must be an instant with its offset, such as 2027-03-01T18:00:00Z',
  ]);
  for (const stopAfter of ['{"answered":1,"success":1}', '{}', '[1]', '5', '{"calls":5}']) {
    expect(wrong({ stopAfter })).toEqual([
      'stopAfter: must have answered or success, one of the two, such as {"answered":100}',
    ]);
  }
  expect(formOf({ ...good, maxCost: '12.345678' })).toMatchObject({ maxCost: 12.345678 });
  expect(formOf({ ...good, maxCost: '1000000000' })).toMatchObject({ maxCost: 1_000_000_000 });
  for (const maxCost of ['much', '-1', '1e3', '0x10', '1,5', ' 1']) {
    expect(wrong({ maxCost })).toEqual(['maxCost: must be an amount such as 250 or 12.5']);
  }
  for (const maxCost of ['0', '0.0', '1000000000.01']) {
    expect(wrong({ maxCost })).toEqual(['maxCost: must be more than 0 and at most 1000000000']);
  }
  expect(wrong({ maxCost: '0.0000015' })).toEqual(['maxCost: must have at most 6 decimal places']);
  expect(wrong({ until: '2020-01-01T00:00:00Z' })).toEqual(['until: must lie ahead']);
  expect(wrong({ until: '2099-01-01T00:00:00Z' })).toEqual(['until: must be at most 731 days ahead']);
  const schedule = '{"date":"2026-12-01","time":"18:00","timezone":"Europe/Berlin"}';
  expect(wrong({ schedule, until })).toEqual(['until: must be after the start at 2026-12-01T17:00:00.000Z']);
});

// shows: batch.create.schedule, batch.create.retry, batch.create.retry-on
test('a full form is read whole', () => {
  expect(
    formOf({
      ...good,
      phoneNumberId: 'num_1',
      description: 'November',
      routingRuleId: 'rule_1',
      schedule: '{"date":"2026-12-01","time":"09:30","timezone":"Europe/Paris"}',
      retry: '{"retryOn":["missed","failed"],"retryDelays":[1,604800]}',
      webhook: '{"endpoint":"https://example.com/hook","events":["batchcall-started","batchcall-completed"]}',
      callingWindow: '{"from":"09:00","until":"20:00","daysOfWeek":[1],"timezone":"recipient"}',
      maxConcurrentCalls: '7',
      priority: '2',
      duplicates: 'skip',
      missingPlus: 'add',
    }),
  ).toMatchObject({
    schedule: {
      date: '2026-12-01',
      time: '09:30',
      timezone: 'Europe/Paris',
      startsAt: new Date('2026-12-01T08:30:00Z'),
    },
    retry: { retryOn: ['missed', 'failed'], retryDelays: [1, 604800] },
    webhook: { endpoint: 'https://example.com/hook', events: ['batchcall-started', 'batchcall-completed'] },
    callingWindow: { from: '09:00', until: '20:00', daysOfWeek: [1], timezone: 'recipient' },
    maxConcurrentCalls: 7,
    priority: 2,
    duplicates: 'skip',
    missingPlus: 'add',
  });
});

test('empty fields and the word null count as left out', () => {
  expect(
    formOf({ ...good, description: '', retry: '', schedule: 'null', webhook: 'null', callingWindow: ' null ' }),
  ).toEqual(formOf(good));
});

// shows: batch.create.webhook, batch.create.webhook-keys, batch.create.unknown-fields
test('every problem of every field is named in one answer', () => {
  expect(
    linesOf(
      {
        phoneNumber: '9877012345',
        retries: '{}',
        schedule: '{"date":"2026-12-01","time":"9.30"}',
        retry: '{"retryOn":["busy"],"retryDelays":[0],"max":1}',
        webhook: '{"endpoint":"http://example.com","events":[],"secret":"s"}',
        maxConcurrentCalls: '0',
        priority: '10',
        duplicates: 'maybe',
      },
      'people.pdf',
      ['description'],
    ),
  ).toEqual([
    'file: must be a .csv, .xls or .xlsx file',
    'description: must be sent only once',
    'retries: is an unrecognized field',
    'name: is required',
    expect.stringMatching(/^phoneNumber: must start with \+/),
    expect.stringMatching(/^schedule\.time: bad time format/),
    expect.stringMatching(/^retry\.retryOn\[0\]: invalid retryOn value "busy"/),
    expect.stringMatching(/^retry\.retryDelays\[0\]: must be a whole number of seconds/),
    'retry.max: is an unrecognized key',
    expect.stringMatching(/^webhook\.endpoint: must be an https URL/),
    'webhook.events: must name at least one event',
    'webhook.secret: is an unrecognized key',
    expect.stringMatching(/^maxConcurrentCalls: must be a whole number/),
    'priority: must be a whole number from 1 to 9',
    'duplicates: must be one of call, skip',
  ]);
});

// shows: numbers.of-a-batch
test('phoneNumbers are read in place of phoneNumber, each once and E.164, and numberOnRetry only with them', () => {
  const { phoneNumber, ...others } = good;
  const numbers = JSON.stringify(['+14155550100', '+12125550100']);
  expect(formOf({ ...others, phoneNumbers: numbers, numberOnRetry: 'other' })).toMatchObject({
    ...{ phoneNumber: null, phoneNumbers: ['+14155550100', '+12125550100'], numberOnRetry: 'other' },
  });
  expect(linesOf({ ...good, phoneNumbers: numbers })).toEqual([
    'phoneNumbers: is sent in place of phoneNumber and phoneNumberId, not with them',
  ]);
  expect(linesOf({ ...others, phoneNumber, numberOnRetry: 'same' })).toEqual([
    'numberOnRetry: is for a batch call with phoneNumbers',
  ]);
  const twice = JSON.stringify(['+14155550100', '4155550100', '+14155550100']);
  expect(linesOf({ ...others, phoneNumbers: twice }).join('\n')).toContain('must start with + and the country code');
  expect(linesOf({ ...others, phoneNumbers: '[]' })).toEqual(['phoneNumbers: must name at least one number']);
  expect(linesOf({ ...others, phoneNumbers: '+14155550100' })).toEqual([
    'phoneNumbers: must be JSON, such as ["+14155550100","+12125550100"]',
  ]);
});

// shows: batch.create.required
test('an empty form is told all that is required', () => {
  expect(linesOf({}, null)).toEqual([
    'file: is required: a .csv, .xls or .xlsx file',
    'name: is required',
    'phoneNumber: is required, or phoneNumberId in its place',
  ]);
});

describe('the name and the description', () => {
  const emoji = '\u{1f600}';

  // shows: batch.create.name, batch.create.description, limits.texts
  test.each([
    ['name', 256],
    ['description', 1000],
  ])('%s may have %i characters and no more', (field, limit) => {
    expect(pathsOf(field, 'x'.repeat(limit))).toEqual([]);
    expect(pathsOf(field, 'x'.repeat(limit + 1))).toEqual([field]);
    expect(pathsOf(field, emoji.repeat(limit))).toEqual([]);
    expect(pathsOf(field, emoji.repeat(limit + 1))).toEqual([field]);
  });

  test('a name of spaces is no name', () => expect(pathsOf('name', '   ')).toEqual(['name']));

  test.each(['a\0b', 'a\ud800b'])('what a database cannot store is refused: %j', (text) => {
    expect(pathsOf('name', text)).toEqual(['name']);
    expect(pathsOf('description', text)).toEqual(['description']);
  });
});

describe('the file', () => {
  test.each([
    ['people.csv', 'csv'],
    ['PEOPLE.XLSX', 'xlsx'],
    ['a.b.xls', 'xls'],
  ])('%s is taken', (filename, extension) => expect(batchFileExtension(filename)).toBe(extension));

  test.each(['people', 'people.', 'people.csv.zip', 'people.ods', 'csv'])('%s is not', (filename) => {
    expect(linesOf(good, filename)).toEqual(['file: must be a .csv, .xls or .xlsx file']);
  });

  test('sent as text is not a file', () => {
    expect(linesOf({ ...good, file: 'phone_number' }, null)).toEqual(['file: must be sent as a file, with a filename']);
  });
});

describe('schedule', () => {
  test.each([
    ['text that is not JSON', '{date:', ['schedule']],
    ['an array', [], ['schedule']],
    ['no date', { time: '09:30' }, ['schedule.date']],
    ['no time', { date: '2026-12-01' }, ['schedule.time']],
    ['a date that is a number', { date: 20261201, time: '09:30' }, ['schedule.date']],
    ['another key', { date: '2026-12-01', time: '09:30', tz: 'UTC' }, ['schedule.tz']],
    [
      'three wrong values',
      { date: 'x', time: 'y', timezone: '+05:30' },
      ['schedule.date', 'schedule.time', 'schedule.timezone'],
    ],
    ['the past', { date: '2026-11-20', time: '09:30' }, ['schedule.date']],
    ['a null timezone', { date: '2026-12-01', time: '09:30', timezone: null }, []],
  ])('%s', (_what, value, paths) => expect(pathsOf('schedule', value)).toEqual(paths));
});

describe('columns', () => {
  test.each([
    ['an object of texts', { phone_number: 'Mobile', first_name: 'Vorname' }, []],
    ['an array', ['Mobile'], ['columns']],
    ['a number for a header', { phone_number: 1 }, ['columns.phone_number']],
    ['an empty header', { phone_number: ' ' }, ['columns.phone_number']],
    ['what a database cannot store', { phone_number: 'a\0b' }, ['columns.phone_number']],
    ['one header twice', { phone_number: 'Mobile', landline: 'Mobile' }, ['columns']],
    ['too many', Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`a${i}`, `b${i}`])), ['columns']],
  ])('%s', (_what, value, paths) => expect(pathsOf('columns', value)).toEqual(paths));
});

describe('retry', () => {
  const five = [1, 2, 3, 4, 5];
  test.each([
    ['all statuses', { retryOn: ['failed', 'not-answered', 'rejected', 'missed', 'abandoned'], retryDelays: five }, []],
    ['voicemail', { retryOn: ['voicemail', 'missed'], retryDelays: [60] }, []],
    ['no retryOn', { retryDelays: [1] }, ['retry.retryOn']],
    ['no retryDelays', { retryOn: ['missed'] }, ['retry.retryDelays']],
    ['an empty retryOn', { retryOn: [], retryDelays: [1] }, ['retry.retryOn']],
    ['no delay', { retryOn: ['missed'], retryDelays: [] }, ['retry.retryDelays']],
    ['a status twice', { retryOn: ['missed', 'missed'], retryDelays: [1] }, ['retry.retryOn']],
    ['answered', { retryOn: ['answered'], retryDelays: [1] }, ['retry.retryOn[0]']],
    ['six delays', { retryOn: ['missed'], retryDelays: [...five, 6] }, ['retry.retryDelays']],
    ['a delay of 0', { retryOn: ['missed'], retryDelays: [1, 0] }, ['retry.retryDelays[1]']],
    ['a delay of a week', { retryOn: ['missed'], retryDelays: [604_800] }, []],
    ['a delay over a week', { retryOn: ['missed'], retryDelays: [604_801] }, ['retry.retryDelays[0]']],
    ['half a second', { retryOn: ['missed'], retryDelays: [1.5] }, ['retry.retryDelays[0]']],
    ['a delay in words', { retryOn: ['missed'], retryDelays: ['60'] }, ['retry.retryDelays[0]']],
    ['maxAttempts', { retryOn: ['missed'], retryDelays: [1], maxAttempts: 1 }, ['retry.maxAttempts']],
    ['true', true, ['retry']],
  ])('%s', (_what, value, paths) => expect(pathsOf('retry', value)).toEqual(paths));
});

describe('webhook', () => {
  const events = ['batchcall-completed'];
  // shows: batch.create.retry, batch.create.retry-delays, limits.delays, retry.ranges
  test.each([
    ['no endpoint', { events }, ['webhook.endpoint']],
    ['no events', { endpoint: 'https://example.com' }, ['webhook.events']],
    ['another event', { endpoint: 'https://example.com', events: ['batchcall-paused'] }, ['webhook.events[0]']],
    ['an event twice', { endpoint: 'https://example.com', events: [...events, ...events] }, ['webhook.events']],
    ['what the operator refuses', { endpoint: 'http://example.com', events }, ['webhook.endpoint']],
    ['unknown keys', { endpoint: 'https://example.com', events, a: 1, b: 2 }, ['webhook.a', 'webhook.b']],
  ])('%s is refused', (_what, value, paths) => expect(pathsOf('webhook', value)).toEqual(paths));
});

test.each([
  ['1', []],
  ['10000', []],
  ['0', ['maxConcurrentCalls']],
  ['10001', ['maxConcurrentCalls']],
  ['1.5', ['maxConcurrentCalls']],
  ['-1', ['maxConcurrentCalls']],
  ['many', ['maxConcurrentCalls']],
])('maxConcurrentCalls %s', (value, paths) => expect(pathsOf('maxConcurrentCalls', value)).toEqual(paths));

// shows: batch.create.unknown-fields
test('names of object members are unknown fields like any other', () => {
  const texts = new Map(Object.entries(good)).set('__proto__', 'x').set('constructor', 'y');
  const found = readBatchForm({ texts, repeated: [], filename: 'a.csv' }, { now, endpointProblem });
  expect('problems' in found && found.problems.map(({ path }) => path)).toEqual(['__proto__', 'constructor']);
});

// shows: pre-dial.setting
test('an endpoint that is asked before calls has a time limit and a rule for errors of its own, or the usual ones', () => {
  const url = 'https://example.com/ask';
  expect(formOf({ ...good, preDial: JSON.stringify({ url }) }).preDial).toEqual({
    url,
    timeoutMs: 3_000,
    onError: 'wait',
  });
  const whole = { url, timeoutMs: 5_000, onError: 'skip' };
  expect(formOf({ ...good, preDial: JSON.stringify(whole) }).preDial).toEqual(whole);
  expect(linesOf({ ...good, preDial: '{"url":"http://10.0.0.1/","timeoutMs":5001,"onError":"no","x":1}' })).toEqual([
    'preDial.url: must be an https URL',
    'preDial.timeoutMs: must be a whole number from 100 to 5000',
    'preDial.onError: must be one of wait, skip, dial',
    expect.stringContaining('preDial.x'),
  ]);
  expect(linesOf({ ...good, preDial: 'https://example.com' })).toEqual([expect.stringContaining('must be JSON')]);
});

test('none keeps the endpoint of the account from being asked', () => {
  const preDial = { url: 'https://example.com/ask', timeoutMs: 3_000, onError: 'wait' } as const;
  const withDefaults = (texts: Record<string, string>) => {
    const sent = { texts: new Map(Object.entries({ ...good, ...texts })), repeated: [], filename: 'people.csv' };
    const found = readBatchForm(sent, { now, endpointProblem, defaults: { ...noDefaults, preDial } });
    return 'form' in found ? found.form.preDial : found;
  };
  expect(withDefaults({})).toEqual(preDial);
  expect(withDefaults({ preDial: 'none' })).toBeNull();
  expect(withDefaults({ preDial: '"none"' })).toBeNull();
});
