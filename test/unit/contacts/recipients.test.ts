import { expect, test } from 'vitest';
import { recipientReader } from '../../../contacts/recipients-to-contacts.js';

const zonesOf = (recipient: object, withTimeZones: boolean) => {
  const read = recipientReader({ duplicates: 'call', missingPlus: 'reject', withTimeZones });
  return read([{ phoneNumber: '+12125550101', ...recipient }], 0).recipients[0]?.timeZones;
};

test.each([
  [{ timezone: 'Europe/Paris', metadata: { timezone: 'Asia/Tokyo' } }, ['Europe/Paris']],
  [{ metadata: { timezone: ' Asia/Tokyo ' } }, ['Asia/Tokyo']],
])('a recipient has the clock that it names, else that of its metadata, as a row of a file: %j', (recipient, zones) => {
  expect(zonesOf(recipient, false)).toEqual(zones);
  expect(zonesOf(recipient, true)).toEqual(zones);
});

test.each([{}, { metadata: { timezone: 'IST' } }, { metadata: { timezone: 7 } }, { metadata: { timezone: null } }])(
  'the clock of the number counts if neither names a zone: %j',
  (recipient) => {
    expect(zonesOf(recipient, true)).toEqual(['America/New_York']);
    expect(zonesOf(recipient, false)).toBeUndefined();
  },
);
