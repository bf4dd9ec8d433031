import { expect, test } from 'vitest';
import { firstCalls } from '../../../console/new-batch/first-calls.js';
import { greetingOf } from '../../../console/new-batch/greeting.js';
import { csvOfPasted, sheetOf, textOfBytes } from '../../../console/new-batch/sheet.js';
import { lasting, retriesInWords } from '../../../console/new-batch/words.js';
import { csvSheet } from '../../../contacts/csv-sheet.js';

async function rowsOfService(bytes: Buffer): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const block of csvSheet(bytes)) rows.push(...block.rows);
  return rows;
}

const files = {
  'commas, and a row that is blank': 'phone_number,name\n+14155550123,Asha\n\n+14155550124,Bo\n',
  'semicolons and CRLF': 'Mobile;Name\r\n+14155550123;Asha\r\n+14155550124;Bo',
  'tabs, as a spreadsheet copies them': 'phone_number\tname\n+14155550123\tAsha, of Pune\n',
  'commas in other columns than the number': 'a,b,phone_number;c\n1,2,+14155550123;3\n',
  quotes: 'phone_number,name\n+14155550123,"Asha ""A"", Rao\nPune"\n+14155550124,Bo\n',
  'a stated delimiter': 'sep=;\nphone_number;name\n+14155550123;Asha\n',
  'a byte order mark': '\u{feff}phone_number,name\n+14155550123,Zoë\n',
  'rows of different lengths': 'phone_number,name,city\n+14155550123\n+14155550124,Bo,Rome,more\n',
} as const;

test.each(Object.entries(files))('the console divides a file with %s as the service does', async (_, text) => {
  for (const bytes of [Buffer.from(text), Buffer.from(`\u{feff}${text.replace('\u{feff}', '')}`, 'utf16le')]) {
    const [header = [], ...rest] = await rowsOfService(bytes);
    const numbered = rest.map((cells, place) => ({ row: place + 2, cells }));
    expect(sheetOf(textOfBytes(bytes), 100)).toEqual({
      headers: header.map((cell) => cell.trim()),
      rows: numbered.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
    });
  }
});

test('what is no UTF-8 is read as Windows-1252, as the service reads it', async () => {
  const bytes = Buffer.from('phone_number,name\n+14155550123,Zo\xeb\n', 'latin1');
  const [, [, name] = []] = await rowsOfService(bytes);
  expect(sheetOf(textOfBytes(bytes), 1).rows).toEqual([{ row: 2, cells: ['+14155550123', name] }]);
});

test('bare numbers get a header, however they are divided, and a table keeps its own', () => {
  expect(csvOfPasted('+1 415 555 0123\n+14155550124; +14155550125\n\n')).toBe(
    'phone_number\n+1 415 555 0123\n+14155550124\n+14155550125\n',
  );
  expect(csvOfPasted('phone_number\tname\n+14155550123\tAsha')).toBe('phone_number\tname\n+14155550123\tAsha');
});

test('columns are known by the names that they are given, also by names that every object has', () => {
  const sheet = { headers: ['Mobile', 'constructor', ''], rows: [{ row: 2, cells: ['+14155550123', 'x'] }] };
  expect(firstCalls(sheet, { Mobile: 'phone_number' })).toEqual([
    { row: 2, value: '+14155550123', metadata: { constructor: 'x' } },
  ]);
});

test('a greeting is in the language of its row if the agent speaks it, and names what nothing fills', () => {
  const languages = [
    { name: 'english', code: 'en' },
    { name: 'german', code: 'de' },
    { name: 'thai', code: 'th' },
  ];
  const config = {
    languages: {
      german: { greeting: { text: 'Guten Tag {{name}}' } },
      english: { greeting: { text: '{{hi}} {{name}} ' } },
    },
  };
  const greet = (metadata: Record<string, string>, rule = {}) => greetingOf(config, metadata, rule, languages);
  expect(greet({ name: 'Bo', language: 'de-AT' })).toEqual({ text: 'Guten Tag Bo', missing: [], language: 'german' });
  expect(greet({ name: 'Bo', language: 'thai' })).toEqual({ text: 'Bo', missing: ['hi'], language: 'english' });
  expect(greet({ name: '{{hi}}' }, { hi: 'Hello' }).text).toBe('Hello {{hi}}');
});

test('retries are said in words', () => {
  expect(retriesInWords([], [])).toBe('Calls each number once.');
  expect(retriesInWords(['missed', 'rejected'], [300])).toBe(
    'Tries again once, after 5 min, if busy or declined or out of reach.',
  );
  expect(retriesInWords(['rejected'], [300, 3600])).toBe(
    'Tries again up to 2 times, after 5 min and after 1 h, if busy or declined. Each delay begins when the call before it ends.',
  );
  expect([90, 5_400, 172_800, 0].map(lasting)).toEqual(['1 min 30 s', '1 h 30 min', '2 days', '0 s']);
});
