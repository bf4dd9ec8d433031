import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aRoute } from '../support.js';

/** A mobile one of Russia, which may be in any of its zones, from Kaliningrad to Kamchatka. */
const ofManyZones = '+79161234567';
const ofOne = '+12125550123';

test('the dry run names the numbers whose window and hours are never open together, in all of their zones', async () => {
  const { token, account } = await anAccount('Never');
  const route = await aRoute({ accountId: account.id });
  const validate = async (callingWindow: object) => {
    const form = { name: 'Try', phoneNumber: route.phoneNumber, callingWindow };
    const recipients = [{ phoneNumber: ofOne }, { phoneNumber: ofManyZones }];
    return (await api.post('/v1/batch-calls/validate', { ...form, recipients }, { token })).body;
  };
  const guarded = (callingHours: object) =>
    api.put('/v1/account/guardrails', { callingHours, allowedCountries: ['RU', 'US'] }, { token });

  expect((await guarded({ from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] })).status).toBe(200);
  expect(await validate({ from: '09:00', until: '10:00' })).toMatchObject({
    valid: true,
    heldBack: expect.arrayContaining([
      { reason: 'calling_hours', count: 1, until: null, untilLast: null, rows: [2] },
    ]) as unknown,
  });
  expect((await guarded({ from: '11:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] })).status).toBe(200);
  expect(await validate({ from: '09:00', until: '10:00' })).toMatchObject({
    valid: false,
    firstCallAt: null,
    heldBack: [{ reason: 'calling_hours', count: 2, until: null, untilLast: null, rows: [1, 2] }],
  });
});
