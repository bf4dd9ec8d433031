import { describe, expect, test } from 'vitest';
import { reviewContacts } from '../../../contacts/review-contacts.js';
import { collectContacts, metadataOf, parseErrorOf } from './collect-contacts.js';

const good = '+919877012345';
const other = '+919877012346';

/** The reason for each row of a one-column file; undefined if it is called. */
async function reasonsOf(numbers: readonly string[], options = {}): Promise<(string | undefined)[]> {
  const { rejected } = await collectContacts(['phone_number', ...numbers, good].join('\n'), options);
  return numbers.map((_, index) => rejected.find(({ row }) => row === index + 2)?.reason);
}

describe('rows that are not called', () => {
  // shows: rows.bad-rows
  test('bad rows never sink the good ones, and each has row, value, reason and words', async () => {
    const { recipients, rejected, summary } = await collectContacts(
      [
        'phone_number,name',
        `${good},a`,
        'hello,b',
        ',c',
        '919877012346,d',
        '9.19877E+11,e',
        `${good},a`,
        `${other},f`,
      ].join('\n'),
    );
    expect(recipients.map(({ row }) => row)).toEqual([2, 8]);
    expect(rejected.map(({ row, value, reason }) => [row, value, reason])).toEqual([
      [3, 'hello', 'invalid_number'],
      [4, '', 'missing_number'],
      [5, '919877012346', 'missing_plus'],
      [6, '9.19877E+11', 'excel_number'],
      [7, good, 'duplicate'],
    ]);
    for (const { message } of rejected) expect(message.length).toBeGreaterThan(40);
    expect(rejected[4]?.message).toContain('row 2');
    expect(summary).toMatchObject({ rows: 7, recipients: 2, rejected: 5, columns: ['phone_number', 'name'] });
  });

  test('a row whose cell is only spaces or brackets has no number', async () => {
    expect(await reasonsOf(['"  ",', '()'])).toEqual([undefined, 'missing_number']);
    const { rejected } = await collectContacts(`phone_number,name\n  ,x\n${good},y`);
    expect(rejected).toMatchObject([{ row: 2, reason: 'missing_number', value: '  ' }]);
  });

  test('a value is kept to its first 200 characters', async () => {
    const { rejected } = await collectContacts(`phone_number\n${'x'.repeat(5000)}\n${good}`);
    expect(rejected[0]?.value).toBe('x'.repeat(200));
    expect(rejected[0]?.message.length).toBeLessThan(250);
  });

  // shows: rows.do-not-call, dnc.parse
  test('a number on the do-not-call list is not called, as it is dialed and not as it is written', async () => {
    const asked: string[] = [];
    const { recipients, rejected, corrected, summary } = await collectContacts(
      `phone_number\n${good}\n+91 98770-12346\nx`,
      {
        isDoNotCall: async (numbers) => {
          asked.push(...numbers);
          return new Set([other]);
        },
      },
    );
    expect(asked).toEqual([good, other]);
    expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual([good]);
    expect(rejected.map(({ row, value, reason }) => [row, value, reason])).toEqual([
      [3, '+91 98770-12346', 'do_not_call'],
      [4, 'x', 'invalid_number'],
    ]);
    expect(corrected).toEqual([]);
    expect(summary).toMatchObject({ recipients: 1, rejected: 2, corrected: 0 });
  });
});

describe('numbers dialed otherwise than written are reported', () => {
  // shows: rows.corrected
  test.each([
    '+91 98770 12345',
    '+91-98770-12345',
    '+91 (98770) 12345',
    '+91\u{a0}98770\u{2011}12345',
    '\u{202a}+919877012345\u{202c}',
    "'+919877012345",
    '+91.98770.12345',
    ' +919877012345',
  ])('%j', async (value) => {
    const { recipients, corrected } = await collectContacts(`phone_number\n"${value}"`);
    expect(recipients).toEqual([{ row: 2, phoneNumber: good, metadataJson: '{}' }]);
    expect(corrected).toEqual([{ row: 2, value, phoneNumber: good }]);
  });

  test('one written as it is dialed is not', async () => {
    expect((await collectContacts(`phone_number\n${good}`)).corrected).toEqual([]);
  });
});

describe('missingPlus', () => {
  // shows: batch.missing-plus
  test('reject: a number without + is not guessed at', async () => {
    expect(await reasonsOf(['6461234567', '(646) 123-4567', '919877012346.0'])).toEqual(Array(3).fill('missing_plus'));
  });

  // shows: batch.missing-plus
  test('add: the + is added and reported if the result is a valid number', async () => {
    const { recipients, corrected, rejected } = await collectContacts(
      'phone_number\n919877012345\n14155552671\n5551234567',
      {
        missingPlus: 'add',
      },
    );
    expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual([good, '+14155552671']);
    expect(corrected).toEqual([
      { row: 2, value: '919877012345', phoneNumber: good },
      { row: 3, value: '14155552671', phoneNumber: '+14155552671' },
    ]);
    expect(rejected).toMatchObject([{ row: 4, reason: 'invalid_number' }]);
    expect(rejected[0]?.message).toContain('+5551234567');
  });

  // shows: rows.plus-hint
  test('the summary says so when more than half of the rows lack it, and not at half', async () => {
    const half = await collectContacts(`phone_number\n919877012345\n${good}`);
    expect(half.summary.hint).toBeNull();
    const most = await collectContacts(`phone_number\n919877012345\n919877012346\n${good}`);
    expect(most.summary.hint).toMatch(/2 of 3 rows.*without \+.*missingPlus=add/);
  });
});

describe('defaultCountry', () => {
  test('numbers without + are read as of that country if they are valid, and reported as corrected', async () => {
    const file = 'phone_number\n(206) 555-0123\n12065550124\n+442079460958\n0014155550105\n9995550123\n555\n';
    const { recipients, rejected, corrected } = await collectContacts(file, { defaultCountry: 'US' });
    expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual(['+12065550123', '+12065550124', '+442079460958']);
    expect(corrected.map(({ row }) => row)).toEqual([2, 3]);
    expect(rejected.map(({ row, reason }) => [row, reason])).toEqual([
      [5, 'missing_plus'],
      [6, 'missing_plus'],
      [7, 'invalid_number'],
    ]);
  });

  test.each([
    ['GB', '020 7946 0958', '+442079460958'],
    ['IN', '098770 12345', '+919877012345'],
    ['IT', '06 698 12345', '+390669812345'],
    ['DE', '0151 23456789', '+4915123456789'],
  ])('a trunk prefix is taken off: %s %s', async (defaultCountry, written, dialed) => {
    const { recipients } = await collectContacts(`phone_number\n${written}\n`, { defaultCountry });
    expect(recipients.map(({ phoneNumber }) => phoneNumber)).toEqual([dialed]);
  });
});

describe('columns to fill', () => {
  const options = { columnsToFill: ['first_name', 'day'] };
  test('a row that leaves one empty is not called, and says which', async () => {
    const file = 'phone_number,first_name,day\n+919877012345,Asha,Monday\n+919877012346,,Monday\n+919877012347,Bo, \n';
    const { recipients, rejected } = await collectContacts(file, options);
    expect(recipients).toHaveLength(1);
    expect(rejected.map(({ row, reason, message }) => [row, reason, message.includes('{{day}}')])).toEqual([
      [3, 'unfilled_placeholder', false],
      [4, 'unfilled_placeholder', true],
    ]);
  });

  test('a file without one of them is refused, and all that are missing are named', async () => {
    const words = await parseErrorOf('phone_number,FirstName\n+919877012345,Asha\n', 'csv', options);
    expect(words).toContain('{{first_name}}, {{day}}');
  });
});

describe('duplicates', () => {
  const file = ['phone_number,name', `${good},a`, `${good},a`, `${good},b`, '+91 98770 12345,a', `${other},a`].join(
    '\n',
  );

  // shows: batch.duplicates
  test('call: identical rows are skipped, the same number with other data is called again', async () => {
    const { recipients, rejected } = await collectContacts(file, { duplicates: 'call' });
    expect(recipients.map(({ row }) => row)).toEqual([2, 4, 6]);
    expect(rejected.map(({ row, reason }) => [row, reason])).toEqual([
      [3, 'duplicate'],
      [5, 'duplicate'],
    ]);
  });

  // shows: batch.duplicates
  test('skip: each number is called once', async () => {
    const { recipients, rejected } = await collectContacts(file, { duplicates: 'skip' });
    expect(recipients.map(({ row }) => row)).toEqual([2, 6]);
    expect(rejected.map(({ row }) => row)).toEqual([3, 4, 5]);
  });

  test('long data is compared to its last character', async () => {
    const long = 'x'.repeat(1000);
    const { recipients } = await collectContacts(
      `phone_number,note\n${good},${long}\n${good},${long}\n${good},${long}y\n`,
    );
    expect(recipients.map(({ row }) => row)).toEqual([2, 4]);
  });

  test('a row that is rejected for another reason does not make the next one a duplicate', async () => {
    const { recipients } = await collectContacts(`phone_number,note\n${good},${'x'.repeat(17_000)}\n${good},y`, {
      duplicates: 'skip',
    });
    expect(recipients.map(({ row }) => row)).toEqual([3]);
  });
});

describe('metadata', () => {
  // shows: batch.create.metadata
  test('every other column is there, by any name, as a string', async () => {
    const { recipients } = await collectContacts(
      `__proto__,phone_number,constructor,toString,42,a.b "c"\n1,${good},2,,4,5\n`.replace('a.b "c"', '"a.b ""c"""'),
    );
    const [metadata] = metadataOf(recipients);
    expect(Object.entries(metadata as object)).toEqual([
      ['42', '4'],
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', ''],
      ['a.b "c"', '5'],
    ]);
  });

  // shows: rows.16kb
  test('16 KB are accepted, one byte more is not, and bytes count, not characters', async () => {
    const overhead = '{"note":""}'.length;
    const fits = 'x'.repeat(16 * 1024 - overhead);
    const wide = 'é'.repeat((16 * 1024 - overhead - 1) / 2);
    const { recipients, rejected } = await collectContacts(
      [`phone_number,note`, `${good},${fits}`, `${good},${fits}x`, `${good},${wide}x`, `${good},${wide}xx`].join('\n'),
    );
    expect(recipients.map(({ row }) => row)).toEqual([2, 4]);
    expect(rejected.map(({ row, reason }) => [row, reason])).toEqual([
      [3, 'metadata_too_large'],
      [5, 'metadata_too_large'],
    ]);
  });
});

describe('time zones', () => {
  const file = [
    'phone_number,timezone',
    `${good},`,
    `${good},Europe/Paris`,
    `${good},Asia/Kolkata`,
    `${good},+05:30`,
    `${good},Mars/Olympus`,
    '+12125550123,',
    '+18005550123,',
  ].join('\n');

  test("a row's own zone counts, else the number's; what is no zone's name is passed over unless callees' clocks count", async () => {
    const { recipients } = await collectContacts(file, { withTimeZones: true });
    expect(recipients.map(({ timeZones }) => timeZones)).toEqual([
      ['Asia/Calcutta'],
      ['Europe/Paris'],
      ['Asia/Kolkata'],
      ['Asia/Calcutta'],
      ['Asia/Calcutta'],
      ['America/New_York'],
      [],
    ]);
    expect(metadataOf(recipients)[1]).toEqual({ timezone: 'Europe/Paris' });
  });

  test('without a window by their clocks, only what rows name is kept, by which hours of the account go', async () => {
    const { recipients } = await collectContacts(file);
    const named = recipients.flatMap(({ row, timeZones }) => (timeZones === undefined ? [] : [[row, timeZones]]));
    expect(named).toEqual([
      [3, ['Europe/Paris']],
      [4, ['Asia/Kolkata']],
    ]);
  });

  test('a row that names what is no zone is rejected where clocks of callees count: it might be called at night', async () => {
    const { recipients, rejected } = await collectContacts(file, { withTimeZones: true, refuseUnknownZones: true });
    expect(recipients.map(({ row }) => row)).toEqual([2, 3, 4, 7, 8]);
    expect(rejected).toMatchObject([
      { row: 5, reason: 'invalid_timezone', message: expect.stringContaining('"+05:30" names no time zone') as string },
      { row: 6, reason: 'invalid_timezone' },
    ]);
  });
});

describe('a review, for a dry run', () => {
  const options = { duplicates: 'call', missingPlus: 'reject' } as const;

  test('lists the first 100 rejected rows and counts all', async () => {
    const file = ['phone_number,n', `${good},`, ...Array.from({ length: 101 }, (_, index) => `x,${index}`)].join('\n');
    const review = await reviewContacts(Buffer.from(file), 'csv', options);
    expect(review).toMatchObject({
      parseError: null,
      rows: 102,
      recipients: 1,
      rejected: 101,
      columns: ['phone_number', 'n'],
    });
    expect(review.firstRejected.map(({ row }) => row)).toEqual(Array.from({ length: 100 }, (_, index) => index + 3));
  });

  test('says why a file cannot be used, with its rejected rows', async () => {
    const review = await reviewContacts(Buffer.from('phone_number\n919877012345\n'), 'csv', options);
    expect(review.parseError).toMatch(/No row can be called/);
    expect(review.firstRejected).toMatchObject([{ row: 2, reason: 'missing_plus' }]);
  });
});
