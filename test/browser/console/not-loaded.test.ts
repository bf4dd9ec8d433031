import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole, openTab } from './support.js';

useApi();

describe.skipIf(noBrowser !== undefined)(
  `files of the console that do not come, in Chromium (${noBrowser ?? 'there'})`,
  () => {
    let browser: Browser;
    let served: ServedApp;
    beforeAll(async () => {
      browser = await sharedBrowser();
      served = await serveApp();
    });

    /** A console that has loaded its first page and what that has. */
    async function open(path: string, title: string): Promise<Page> {
      const { page } = await openConsole(browser, served, path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForLoadState('networkidle');
      return page;
    }
    const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
    const again = (page: Page) => page.getByRole('button', { name: 'Reload' });
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
    const files = '**/console/assets/*.js';
    /** Of this browser's cache, which all tabs share, nothing is taken. */
    const noCache = async (page: Page) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    };

    test('without the network a page says so, stays in the console, and is there by “Reload” once the network is back', async () => {
      const page = await open('/tools', 'Tools');
      await noCache(page);
      await page.route('**', (route) => route.abort('internetdisconnected'));
      await link(page, 'Knowledge bases').click();
      await heading(page, 'This page could not be loaded').waitFor();
      await page.getByText('The service does not answer.').first().waitFor();
      await expectAccessible(page);
      await again(page).click();
      await again(page).and(page.locator(':not([data-loading])')).waitFor();
      await heading(page, 'This page could not be loaded').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/knowledge');
      await page.unroute('**');
      await again(page).click();
      await heading(page, 'Knowledge bases').waitFor();
    });

    test('a page of a version that is gone is loaded from the new one, by itself and once', async () => {
      const page = await open('/tools', 'Tools');
      await noCache(page);
      const gone = (status: number) => page.route(files, (route) => route.fulfill({ status }));
      let loads = 0;
      page.on('load', () => (loads += 1));
      // The files of the version before are gone; the page names those of the new one, which are there.
      await gone(404);
      page.on('request', (request) => {
        if (request.isNavigationRequest()) void page.unroute(files);
      });
      await link(page, 'Knowledge bases').click();
      await heading(page, 'Knowledge bases').waitFor();
      expect(loads).toBe(1);
    });

    test('a file that a version lacks altogether is said to be missing, instead of loading it forever', async () => {
      const page = await open('/tools', 'Tools');
      await noCache(page);
      let loads = 0;
      page.on('load', () => (loads += 1));
      const own = new Set(
        await page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)"),
      );
      await page.route(files, (route) =>
        own.has(route.request().url()) ? route.continue() : route.fulfill({ status: 404 }),
      );
      await link(page, 'Knowledge bases').click();
      await page.getByText('The service answers, but does not have this file.').waitFor();
      expect(loads).toBe(1);
      await page.unroute(files);
      await again(page).click();
      await heading(page, 'Knowledge bases').waitFor();
    });

    test('without its first file the console is no empty page: it offers to be loaded again', async () => {
      const { page } = await openTab(browser);
      await noCache(page);
      await page.route(files, (route) => route.fulfill({ status: 404 }));
      await page.goto(`${served.url}/console/tools`);
      await link(page, 'Reload').waitFor();
      await expectAccessible(page);
      await page.unroute(files);
      await link(page, 'Reload').click();
      await heading(page, 'Sign in').waitFor();
      expect(new URL(page.url()).pathname).toBe('/console/tools');
    });

    test('a part of a page that does not come leaves what was typed beside it', async () => {
      const page = await open('/defaults', 'Defaults');
      await noCache(page);
      await page.route('**', (route) => route.abort('internetdisconnected'));
      await page.getByLabel('Time zone').first().fill('Europe/Oslo');
      await page.getByLabel('Calls start at certain hours only').check();
      await page.getByRole('alert').getByText('This part of the page could not be loaded').waitFor();
      await expectAccessible(page);
      await page.unroute('**');
      await again(page).click();
      await page.getByLabel('From').waitFor();
      expect(await page.getByLabel('Time zone').first().inputValue()).toBe('Europe/Oslo');
    });
  },
);
