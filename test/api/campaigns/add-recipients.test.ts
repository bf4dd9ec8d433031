import { describe, expect, test } from 'vitest';
import { eraseContact } from '../../../db/queries/accounts/erase-contact.js';
import { deleteOldWaiting } from '../../../db/queries/campaigns/recipients.js';
import { aNumber, rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aCampaign, post, shownOf } from './support.js';

describe('200', () => {
  test('recipients wait; an id that waits is skipped, and a number that cannot be read is refused at its place', async () => {
    const campaignId = await aCampaign();
    const recipients = [
      { phoneNumber: aNumber(), id: 'a' },
      { phoneNumber: '415' },
      { phoneNumber: aNumber(), id: 'b' },
    ];
    const first = await post(campaignId, recipients);
    expect(first.body).toMatchObject({ accepted: 2, alreadyPresent: 0, rejected: [{ index: 1, value: '415' }] });
    const again = await post(campaignId, recipients);
    expect(again.body).toMatchObject({ accepted: 0, alreadyPresent: 2, rejected: [{ index: 1 }] });
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 2 });
  });

  test('numbers without + are read as the template says', async () => {
    const campaignId = await aCampaign();
    const { template } = (await shownOf(campaignId)) as { template: object };
    await api.patch(`/v1/campaigns/${campaignId}`, { template: { ...template, defaultCountry: 'US' } });
    expect((await post(campaignId, [{ phoneNumber: '(415) 555-0123' }])).body).toMatchObject({ accepted: 1 });
  });

  test('many requests at once add each recipient once', async () => {
    const campaignId = await aCampaign();
    const recipients = Array.from({ length: 20 }, (_, n) => ({ phoneNumber: aNumber(), id: `r-${n}` }));
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(campaignId, recipients)));
    const accepted = answers.map(({ body }) => (body as { accepted: number }).accepted);
    expect(accepted.toSorted((a, b) => b - a)).toEqual([20, 0, 0, 0]);
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 20 });
  });

  test('a person who is erased, or whose data has outlived its retention, waits no more', async () => {
    const campaignId = await aCampaign();
    const [erased, old, kept] = [aNumber(), aNumber(), aNumber()];
    await post(
      campaignId,
      [erased, old, kept].map((phoneNumber) => ({ phoneNumber })),
    );
    const { database, me } = here();
    const outcome = await database.db.transaction().execute((tx) => eraseContact(tx, me.account.id, erased));
    expect(outcome).toMatchObject({ outcome: 'erased' });
    await rowsOf(`update campaign_recipients set created_at = now() - interval '40 days' where phone_number = $1`, [
      old,
    ]);
    await deleteOldWaiting(database.db, new Date(Date.now() - 30 * 86_400_000));
    expect(await rowsOf('select phone_number from campaign_recipients where campaign_id = $1', [campaignId])).toEqual([
      { phone_number: kept },
    ]);
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 1 });
  });
});

describe('400', () => {
  test('more than two hundred names in all who wait are refused, and nobody is added', async () => {
    const campaignId = await aCampaign();
    const named = (from: number) => ({
      phoneNumber: aNumber(),
      metadata: Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`n${from + n}`, 'x'])),
    });
    await post(campaignId, [named(0)]);
    expect((await post(campaignId, [named(100)])).status).toBe(400);
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 1 });
  });
});

describe('409', () => {
  test('fifty thousand wait at most', async () => {
    const campaignId = await aCampaign();
    await rowsOf(`update campaigns set waiting = 50000 where id = $1`, [campaignId]);
    const response = await post(campaignId, [{ phoneNumber: aNumber() }]);
    expect([response.status, response.text.includes('50000 recipients wait')]).toEqual([409, true]);
  });
});
