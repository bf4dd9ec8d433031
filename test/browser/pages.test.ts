import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApi } from '../api/support.js';
import { complaintsOf, noBrowser, openBrowser, serveApp, type ServedApp } from './browser.js';

useApi();

describe.skipIf(noBrowser !== undefined)(`pages of the API, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await openBrowser();
    served = await serveApp();
  });
  afterAll(() => browser.close());

  /** A page that tells what it complains of, and whom else it has asked for anything. */
  async function open(path: string) {
    const page: Page = await browser.newPage();
    const complaints = complaintsOf(page);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(served.url) && !url.startsWith('data:')) elsewhere.push(url);
    });
    await page.goto(`${served.url}${path}`, { waitUntil: 'networkidle' });
    return { page, complaints, elsewhere };
  }

  test('a browser that opens the address of the service is led to the reference', async () => {
    const { page, complaints, elsewhere } = await open('/');
    expect(await page.title()).toBe('Outdial');
    // Its style applies: the policy names it by its hash.
    expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('736px');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL(`${served.url}/docs/`);
    await page.locator('.topbar img').waitFor();
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
  });

  test('the reference has our name, mark and colours, breaks no policy and asks no other host', async () => {
    const { page, complaints, elsewhere } = await open('/docs/');
    expect(await page.title()).toBe('API reference · Outdial');
    const mark = page.locator('.topbar img');
    await mark.waitFor();
    expect(await page.evaluate("document.querySelector('.topbar img').naturalWidth")).toBeGreaterThan(0);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('icon.svg');
    expect(await page.evaluate("getComputedStyle(document.querySelector('.btn.authorize')).backgroundColor")).toBe(
      'rgb(11, 122, 107)',
    );
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10);
    expect(await page.locator('body').innerText()).not.toMatch(/swagger/i);
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
  });

  test('the reference tries an operation with a token', async () => {
    const { page } = await open('/docs/#/Account/account.get');
    await page.getByRole('button', { name: 'Try it out' }).first().waitFor();
    await page.getByRole('button', { name: 'Try it out' }).first().click();
    await page.getByRole('button', { name: 'Execute' }).first().click();
    await page.locator('.live-responses-table').getByText('401').first().waitFor();
  });
});
