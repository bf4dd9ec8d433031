import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aRoute } from '../support.js';

const dayMs = 86_400_000;
const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** An instant of a day to come, by the clock of India. */
const inIndia = (days: number, time: string): string => {
  const date = new Date(Date.now() + days * dayMs + 5.5 * 3_600_000).toISOString().slice(0, 10);
  return new Date(`${date}T${time}:00+05:30`).toISOString();
};

test('the dry run judges recipients with a notBefore by the hours and the day of that instant, as the dialer does', async () => {
  const { token, account } = await anAccount('Later');
  const route = await aRoute({ accountId: account.id });
  const validate = async (recipients: readonly object[]) => {
    const callingWindow = { from: '09:00', until: '18:00', daysOfWeek: everyDay, timezone: 'Asia/Kolkata' };
    const form = { name: 'Later', phoneNumber: route.phoneNumber, callingWindow, recipients };
    const { status, body } = await api.post('/v1/batch-calls/validate', form, { token });
    expect(status).toBe(200);
    return body;
  };
  const limited = { maxAttemptsPerNumberPerDay: 1, allowedCountries: ['IN'] };
  expect((await api.put('/v1/account/guardrails', limited, { token })).status).toBe(200);

  const open = { phoneNumber: '+919877012345', notBefore: inIndia(3, '10:00') };
  expect(await validate([open])).toMatchObject({ firstCallAt: open.notBefore, heldBack: [] });
  const early = { phoneNumber: '+919877012346', notBefore: inIndia(3, '07:00') };
  const opening = inIndia(3, '09:00');
  expect(await validate([open, early])).toMatchObject({
    firstCallAt: opening,
    heldBack: [{ reason: 'calling_window', count: 1, until: opening, untilLast: opening, rows: [2] }],
  });
  const at = (days: number, id: string) => ({ phoneNumber: open.phoneNumber, id, notBefore: inIndia(days, '10:00') });
  expect(await validate([at(3, 'a'), at(4, 'b')])).toMatchObject({ heldBack: [] });
  expect(await validate([at(3, 'a'), at(3, 'b')])).toMatchObject({
    heldBack: [{ reason: 'daily_limit', count: 1, until: inIndia(4, '09:00'), rows: [2] }],
  });
});
