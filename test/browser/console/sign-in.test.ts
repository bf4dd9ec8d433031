import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { issueCode } from '../../../platform/one-time-codes.js';
import { signToken } from '../../../platform/token.js';
import { withSettings } from '../../api/playground/support.js';
import { here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole, openTab } from './support.js';

useApi();

describe.skipIf(noBrowser !== undefined)(`signing in to the console, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  const codes = mkdtempSync(join(tmpdir(), 'sign-in-'));

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp({ env: withSettings({ OUTDIAL_SIGN_IN_FOLDER: codes }) });
  });

  const aPage = async (path: string) => {
    const tab = await openTab(browser);
    await tab.page.goto(`${served.url}${path}`);
    return tab;
  };
  const inTenMinutes = () => new Date(Date.now() + 600_000);

  test('a token that is pasted opens the page of the address, is kept in this tab alone and in no address', async () => {
    const { page, complaints } = await aPage('/console');
    await expectAccessible(page);
    await page.getByLabel('API token').fill(here().me.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${served.url}/console`);
    expect(await page.evaluate('JSON.stringify([{...localStorage}, document.cookie])')).not.toContain(here().me.token);
    const signature = here().me.token.split('.')[2]!;
    expect(JSON.stringify(served.asked)).not.toContain(signature);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    expect(await page.evaluate('JSON.stringify({...sessionStorage})')).not.toContain(signature);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a token that does not count is refused in the words of the API', async () => {
    const { page } = await aPage('/console');
    await page.getByLabel('API token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The API token is not valid.').waitFor();
    await page.close();
  });

  test('a token that ends while it is used leads back to the form, which says why', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, ttlSeconds: 2 });
    const { page } = await openConsole(browser, served, '', { token });
    await page.getByRole('alert').getByText('The API token has expired.').waitFor();
    await page.close();
  });

  test('a token that may only read is told so, and is offered nothing that changes anything', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { page } = await openConsole(browser, served, '', { token });
    await page.getByText('read only').waitFor();
    await page.getByText('Live calls', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Stop all dialing' }).count()).toBe(0);
    await page.close();
  });

  test('the address of `up` signs in once: its code leaves the address and history at once, and is gone after', async () => {
    const code = issueCode(codes, here().me.key.id, inTenMinutes());
    const { page, complaints } = await aPage(`/console#code=${code}`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.evaluate('location.href + history.length')).toBe(`${served.url}/console2`);
    expect(JSON.stringify(served.asked)).not.toContain(code);
    expect(served.log()).not.toContain(code);
    expect(readdirSync(codes)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();

    const { page: again } = await aPage(`/console#code=${code}`);
    await again.getByRole('alert').getByText('This address has signed in before').waitFor();
    await again.close();
  });

  test('the keyboard comes to the page without going through the navigation', async () => {
    const { page } = await openConsole(browser, served, '');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.close();
  });

  test('an address that names no page says so and leads on', async () => {
    const { page } = await openConsole(browser, served, '/nothing/here');
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.close();
  });
});
