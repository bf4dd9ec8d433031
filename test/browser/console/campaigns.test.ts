import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aCampaign, shownOf } from '../../api/campaigns/support.js';
import { aRoute } from '../../api/batch-calls/support.js';
import { rowsOf } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { signToken } from '../../../platform/token.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

describe.skipIf(noBrowser !== undefined)(`campaigns, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  test('a campaign is made; what is wrong stands at its field', async () => {
    const { phoneNumber } = await aRoute();
    const { page, complaints } = await openConsole(browser, served, '/campaigns');
    await page.getByRole('button', { name: 'New campaign' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mornings');
    await page.getByLabel('Runs at').fill('61 9 * * *');
    await page.getByLabel('Settings of its batch calls').fill(JSON.stringify({ phoneNumber }));
    await page.getByRole('button', { name: 'Make the campaign' }).click();
    await page.getByText('must be a cron expression').waitFor();
    await page.getByLabel('Runs at').fill('0 9 * * *');
    await page.getByRole('button', { name: 'Make the campaign' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mornings' }).waitFor();
    await expectAccessible(page);
    expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
    await page.close();
  });

  test('recipients are added, it is run, paused, resumed and, once that is typed, deleted', async () => {
    const campaignId = await aCampaign();
    const { page, complaints } = await openConsole(browser, served, `/campaigns/${campaignId}`);
    await page.getByRole('button', { name: 'Add recipients' }).click();
    await page.getByLabel('Numbers').fill('+14155550123\n+14155550124');
    await page.getByRole('button', { name: 'Add 2 recipients' }).click();
    await page.getByText('2 recipients were added').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await shownOf(campaignId)).toMatchObject({ waiting: 2 });
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('button', { name: 'Run it now' }).click();
    await page.getByRole('region', { name: 'Runs', exact: true }).getByText('asked for').waitFor();
    await rowsOf(`update campaign_runs set outcome = 'empty' where campaign_id = $1`, [campaignId]);
    for (const [words, status] of [
      ['Pause', 'paused'],
      ['Resume', 'active'],
    ] as const) {
      await page.getByRole('button', { name: words, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: words, exact: true }).click();
      await expect.poll(() => shownOf(campaignId)).toMatchObject({ status });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('delete');
    await page.getByRole('button', { name: 'Delete this campaign' }).click();
    await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
    expect((await api.get(`/v1/campaigns/${campaignId}`)).status).toBe(404);
    expect(complaints.filter((words) => !words.includes('404'))).toEqual([]);
    await page.close();
  });

  test('a token that may only read sees campaigns and is offered nothing that changes them', async () => {
    const campaignId = await aCampaign();
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    for (const path of ['/campaigns', `/campaigns/${campaignId}`]) {
      const { page } = await openConsole(browser, served, path, { token });
      await page.getByText('Missed appointments').first().waitFor();
      for (const name of ['New campaign', 'Run now', 'Pause', 'Delete', 'Add recipients', 'Save']) {
        expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
      }
      await page.close();
    }
  });
});
