import type { Browser, Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aCampaign, shownOf } from '../../api/campaigns/support.js';
import { aRoute } from '../../api/batch-calls/support.js';
import { rowsOf } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { signToken } from '../../../platform/token.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

/** What is said of a field to somebody who does not see it. */
const describedBy = (field: Locator): Promise<string> =>
  field.evaluate((element) => {
    const ids = (element as unknown as { getAttribute(name: string): string | null }).getAttribute('aria-describedby');
    const { document } = globalThis as unknown as {
      document: { getElementById(id: string): { textContent: string } | null };
    };
    return (ids ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
  });

describe.skipIf(noBrowser !== undefined)(`campaigns, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  const prices = { currency: 'USD', calls: [{ perMinute: 0.5, incrementSeconds: 60 }] };

  test('a campaign is made with every setting of its batch calls; what is wrong stands at its field, all at once', async () => {
    const { phoneNumber, ruleId } = await aRoute();
    expect((await api.put('/v1/account/prices', prices)).status).toBe(200);
    const { page, complaints } = await openConsole(browser, served, '/campaigns', { width: 360 });
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Runs at').fill('61 9 * * *');
    await page.getByText('it must be a cron expression').waitFor();
    await page.getByLabel('Maximum concurrent calls').fill('many');
    await page.getByLabel('Cost limit').fill('0');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByText(/^must be a cron expression/).waitFor();
    for (const [field, words] of [
      ['Runs at', 'must be a cron expression'],
      ['Maximum concurrent calls', 'must be a number'],
      ['Cost limit', 'must be more than 0'],
      ['Number to call from', 'required'],
    ] as const) {
      expect(await describedBy(page.getByLabel(field, { exact: true }))).toContain(words);
    }
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Mornings');
    await page.getByLabel('Runs at').fill('0 9 * * 1-5');
    await page.getByLabel('Time zone', { exact: true }).fill('America/New_York');
    await page.getByText('At 09:00, Monday through Friday.').waitFor();
    const runs = await page.getByRole('list', { name: 'Next runs, in America/New_York' }).innerText();
    expect(runs.match(/(?:Mon|Tue|Wed|Thu|Fri), .* 09:00/g)).toHaveLength(3);
    await page.getByLabel('Number to call from').selectOption(phoneNumber);
    await page.getByLabel('Calls start at certain hours only').check();
    await page.getByLabel('Until', { exact: true }).fill('12:00');
    await page.getByRole('button', { name: 'Add a retry' }).click();
    await page.getByLabel('Maximum concurrent calls').fill('3');
    await page.getByLabel('Cost limit').fill('12.5');
    await page.getByLabel('Share of the gateway').selectOption('2');
    await page.getByLabel('Pre-dial check').selectOption('None');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mornings' }).waitFor();
    await page.getByText('At 09:00, Monday through Friday.').waitFor();
    const campaignId = page.url().split('/').at(-1) ?? '';
    expect((await shownOf(campaignId)) as object).toMatchObject({
      ...{ name: 'Mornings', cron: '0 9 * * 1-5', timezone: 'America/New_York' },
      template: {
        ...{ phoneNumber, routingRuleId: ruleId, maxConcurrentCalls: 3, maxCost: 12.5, priority: 2, preDial: 'none' },
        retry: { retryOn: ['rejected', 'not-answered', 'missed'], retryDelays: [300] },
        callingWindow: { from: '09:00', until: '12:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' },
      },
    });
    await expectAccessible(page);
    expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
  });

  test('by keyboard: what of a campaign is changed is sent alone, and what its page does not know stays', async () => {
    const { phoneNumber } = await aRoute();
    const template = { phoneNumber, open: true, retry: { retryOn: ['missed'], retryDelays: [90] } };
    const campaignId = await aCampaign({ template });
    const { page, complaints } = await openConsole(browser, served, `/campaigns/${campaignId}`);
    const tabTo = async (wanted: Locator) => {
      await wanted.waitFor();
      for (let tabs = 0; tabs < 80; tabs += 1) {
        if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
        await page.keyboard.press('Tab');
      }
      throw new Error('The Tab key does not lead there');
    };
    await tabTo(page.getByRole('link', { name: 'Settings', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByLabel('Runs at'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('30 8 * * *');
    await page.getByText('At 08:30.').waitFor();
    await tabTo(page.getByLabel('Retry 1 after'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await page.getByText('must be a whole number of seconds from 1 to 604800').waitFor();
    expect(await shownOf(campaignId)).toMatchObject({ cron: '0 9 * * 1-5', template });
    await page.keyboard.press('Control+A');
    await page.keyboard.type('45');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.keyboard.press('Enter');
    const changed = { ...template, retry: { retryOn: ['missed'], retryDelays: [45] } };
    expect((await sent).postDataJSON()).toEqual({ cron: '30 8 * * *', template: changed });
    await page.getByText('Saved.').waitFor();
    expect(await shownOf(campaignId)).toMatchObject({ cron: '30 8 * * *', template: changed });
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
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

  test('a campaign that names its number by an id shows the number, and keeps the id while no other is chosen', async () => {
    const { phoneNumber, phoneNumberId } = await aRoute();
    const campaignId = await aCampaign({ template: { phoneNumberId } });
    const { page } = await openConsole(browser, served, `/campaigns/${campaignId}?view=settings`);
    const field = page.getByLabel('Number to call from');
    // The number is a choice of the field as well: which one is chosen is asked until the page knows it.
    const chosen = () =>
      field.evaluate(
        (select) => (select as unknown as { selectedOptions: { label: string }[] }).selectedOptions[0]?.label,
      );
    await expect.poll(chosen).toBe(phoneNumber);
    await page.getByLabel('Maximum concurrent calls').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await shownOf(campaignId)).toMatchObject({ template: { phoneNumberId, maxConcurrentCalls: 3 } });
    await page.close();
  });

  test('a token that may only read sees campaigns and is offered nothing that changes them', async () => {
    const campaignId = await aCampaign();
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    for (const path of ['/campaigns', `/campaigns/${campaignId}`, `/campaigns/${campaignId}?view=settings`]) {
      const { page } = await openConsole(browser, served, path, { token });
      await page.getByText('Missed appointments').first().waitFor();
      expect(await page.getByRole('link', { name: 'New campaign' }).count()).toBe(0);
      for (const name of ['Run now', 'Pause', 'Delete', 'Add recipients', 'Save']) {
        expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
      }
      await page.close();
    }
  });
});
