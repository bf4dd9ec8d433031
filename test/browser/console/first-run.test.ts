import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { rowsOf } from '../../api/support-resources.js';
import { anAccount, api, useApi } from '../../api/support.js';
import { withSettings } from '../../api/playground/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, expectFocusHeld, openConsole } from './support.js';

useApi();

describe.skipIf(noBrowser !== undefined)(
  `the first steps in the console, in Chromium (${noBrowser ?? 'there'})`,
  () => {
    let browser: Browser;
    let served: ServedApp;

    beforeAll(async () => {
      browser = await sharedBrowser();
      served = await serveApp({ env: withSettings({ OUTDIAL_ALLOW_PRIVATE_SIP: 'true' }) });
    });

    const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title });

    /** What the deploy does, which is carried out by a worker. */
    const makeLive = async (accountId: string) => {
      await rowsOf(
        `insert into deployments (id, account_id, agent_id, version_id, region, status)
       select 'dep_live', account_id, id, latest_version_id, 'default', 'live' from agents where account_id = $1`,
        [accountId],
      );
      await rowsOf(`update agents set status = 'active', deployment_id = 'dep_live' where account_id = $1`, [
        accountId,
      ]);
    };

    test('an empty account is led to a first call, each step by what the API says, and its problems stand at their fields', async () => {
      const { account, token } = await anAccount('New');
      const { page, complaints } = await openConsole(browser, served, '', { token, width: 360 });
      await step(page, 'An agent').getByText('There is none yet.').waitFor();
      await step(page, 'A number to call from').getByText('No number has an outbound gateway.').waitFor();
      await step(page, 'Start').getByText('No batch call has started yet.').waitFor();
      await expectAccessible(page);

      await page.getByLabel('Name', { exact: true }).fill('');
      await page.getByLabel('Prompt').fill('');
      await page.getByRole('button', { name: 'Create agent' }).click();
      await page.getByText('Nothing was done').waitFor();
      expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Prompt').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Name', { exact: true }).fill('Reminder');
      await page.getByLabel('Prompt').fill('Be kind.');
      await page.getByRole('button', { name: 'Create agent' }).click();
      await step(page, 'An agent').getByText('Reminder exists and is not live.').waitFor({ timeout: 15_000 });
      await makeLive(account.id);
      await step(page, 'An agent').getByText('Reminder is live.').waitFor();

      await page.getByLabel('Number of your carrier’s trunk').fill('12');
      await page.getByRole('button', { name: 'Register number' }).click();
      await page.getByText('Nothing was done').waitFor();
      expect(await page.getByLabel('Number of your carrier’s trunk').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Address of the trunk').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Number of your carrier’s trunk').fill('+91 98770 60001');
      await page.getByLabel('Address of the trunk').fill('127.0.0.1:5060');
      await page.getByRole('button', { name: 'Register number' }).click();
      await page.getByRole('button', { name: 'Let Reminder call from +919877060001' }).click();
      await step(page, 'A number to call from').getByText('+919877060001, by the rule').waitFor();
      await expectAccessible(page);

      await page.getByLabel('My own telephone').fill('+91 98770 60002');
      const ask = page.getByRole('button', { name: 'Call my telephone' });
      await expectFocusHeld(page, ask);
      await ask.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Call now' }).click();
      await step(page, 'A call to your own telephone').getByText('The call to +919877060002').waitFor();
      const { body } = await api.get('/v2/sip/call', { token });
      expect(body).toMatchObject({ data: [{ from: '+919877060001', to: '+919877060002', status: 'initiated' }] });
      expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
      await page.close();
    });

    test('who may only read sees how far the steps are and is offered none', async () => {
      const { key, secret } = await anAccount('Reader');
      const token = await signToken(secret, { keyId: key.id, permissions: ['read'] });
      const { page } = await openConsole(browser, served, '', { token });
      await step(page, 'An agent').getByText('There is none yet.').waitFor();
      expect(await page.getByRole('button', { name: 'Create agent' }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'New batch call' }).count()).toBe(0);
      await page.close();
    });
  },
);
