import { expect, test } from 'vitest';
import { collectContacts, metadataOf, parseErrorOf } from './collect-contacts.js';

const file = 'Mobile,Vorname,Prio\n+919877012345,Asha,2\n';

// shows: rows.column-names
test('columns are read by the names that the client gives them, wherever a name has a meaning', async () => {
  const columnNames = { phone_number: 'Mobile', first_name: ' Vorname ', priority: 'Prio' };
  const { recipients, summary } = await collectContacts(file, { columnNames });
  expect(recipients).toMatchObject([{ phoneNumber: '+919877012345', priority: 2 }]);
  expect(metadataOf(recipients)).toEqual([{ first_name: 'Asha', priority: '2' }]);
  expect(summary.columns).toEqual(['phone_number', 'first_name', 'priority']);
});

test('two columns exchange their names', async () => {
  const columnNames = { phone_number: 'mobile', landline: 'phone_number' };
  const { recipients } = await collectContacts('phone_number,mobile\n+912266123456,+919877012345\n', { columnNames });
  expect(recipients).toMatchObject([{ phoneNumber: '+919877012345' }]);
  expect(metadataOf(recipients)).toEqual([{ landline: '+912266123456' }]);
});

test('every header that the file does not have is named, with those that it has', async () => {
  const columnNames = { phone_number: 'Mobil', city: 'Ort', first_name: 'Vorname' };
  expect(await parseErrorOf(file, 'csv', { columnNames })).toBe(
    'The field columns names headers that the file does not have: "Mobil" for "phone_number", "Ort" for "city". ' +
      'Its headers are "Mobile", "Vorname", "Prio".',
  );
});

test('a name that another column has already is refused and not guessed at', async () => {
  const columnNames = { phone_number: 'Mobile' };
  expect(await parseErrorOf('Mobile,phone_number\n+919877012345,+912266123456\n', 'csv', { columnNames })).toBe(
    'The field columns gives names that other columns of the file have already: "phone_number". ' +
      'Give those columns other names in the same field, or remove them.',
  );
});

test('names that objects have of their own are names like others', async () => {
  const columnNames = Object.fromEntries([
    ['phone_number', 'constructor'],
    ['__proto__', 'toString'],
  ]);
  const { recipients } = await collectContacts('constructor,toString\n+919877012345,x\n', { columnNames });
  expect(recipients).toHaveLength(1);
  expect(recipients[0]?.metadataJson).toBe('{"__proto__":"x"}');
});
