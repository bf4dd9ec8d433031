import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { aBatch, aRoute } from '../../api/batch-calls/support.js';
import { anAccount, api, here, useApi, withoutDialer } from '../../api/support.js';
import { aGateway } from '../../api/support-resources.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole, segmentsOf } from './support.js';

useApi();

interface Overview {
  readonly liveCalls: { readonly total: number };
  readonly batches: { readonly running: number; readonly scheduled: number };
  readonly gateways: readonly {
    readonly name: string;
    readonly liveCalls: number;
    readonly maxConcurrentCalls: number;
  }[];
}
interface Item {
  readonly batchName: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly waitingFor: string;
}

describe.skipIf(noBrowser !== undefined)(`the overview of the console, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  let running: { readonly batchId: string };

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
    const route = await aRoute();
    const counts = {
      pending: 9_120,
      retrying: 40,
      dialing: 2,
      'in-progress': 3,
      answered: 700,
      missed: 20,
      cancelled: 1,
    };
    running = await aBatch({ name: 'March reminders', counts, route });
    await aBatch({ name: 'Second round', paused: 'paused_by_user', counts: { pending: 5 }, route });
    await aBatch({ name: 'Over', status: 'completed', counts: { answered: 5 }, route });
  });

  const overviewOfApi = async () => (await api.get('/v1/overview')).body as Overview;

  test('its figures are those of the API, and the segments of each bar add up to all calls of the batch', async () => {
    const { page, complaints } = await openConsole(browser, served, '');
    await page.getByRole('article', { name: 'March reminders' }).waitFor();
    const { liveCalls, batches, gateways } = await overviewOfApi();
    const { body } = await api.get('/v1/batch-calls?status=running');
    const { data } = body as { data: Item[] };
    expect(data).toHaveLength(2);

    const figures = (name: string) => page.getByRole('region', { name }).innerText();
    expect(await figures('Live calls')).toContain(`\n${liveCalls.total}\n`);
    expect(await figures('Running batch calls')).toContain(`\n${batches.running}\n`);
    for (const { batchName, counts, waitingFor } of data) {
      const shown = await segmentsOf(page, batchName);
      // Those that a person or a machine answered are part of the answered ones.
      const statuses = Object.entries(counts).filter(([name]) => name !== 'human' && name !== 'machine');
      const total = statuses.reduce((sum, [, count]) => sum + count, 0);
      expect(Object.values(shown).reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(shown['not called yet'] ?? 0).toBe(counts.pending);
      expect(shown['to be retried'] ?? 0).toBe(counts.retrying);
      expect(await page.getByRole('article', { name: batchName }).innerText()).toContain(waitingFor);
    }
    expect(await page.getByRole('article', { name: 'Over' }).count()).toBe(0);
    const [gateway] = gateways;
    await page
      .getByRole('article', { name: gateway!.name })
      .getByText(`Lines: ${gateway!.liveCalls} of ${gateway!.maxConcurrentCalls}`)
      .waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('that no dialer runs stands above everything else, with what says how to mend it', async () => {
    await withoutDialer(async () => {
      const { page } = await openConsole(browser, served, '', { width: 360 });
      const warning = page.getByRole('alert', { name: 'Batch calls have stopped' });
      await warning.getByText('No dialer runs, so nobody is called.').waitFor();
      await warning.getByText('outdial doctor').waitFor();
      const topOf = async (of: typeof warning) => (await of.boundingBox())!.y;
      expect(await topOf(warning)).toBeLessThan(await topOf(page.getByRole('region', { name: 'Live calls' })));
      await expectAccessible(page);
    });
  });

  test('versions of workers are named, and what waits for one that is gone stands above everything else, with what mends it', async () => {
    const version = { role: null, rampPercent: null, hasWorker: true, pinned: 0, isNew: false, mayEnd: false };
    const versions = [
      { ...version, buildId: '1.0.0', hasWorker: false, pinned: 4 },
      { ...version, buildId: '1.1.0', role: 'current' as const },
    ];
    const temporal = {
      kick: () => undefined,
      isReachable: () => Promise.resolve(true),
      workers: () => ({ missing: null, versions, strandedBatches: new Map([[running.batchId, '1.0.0']]) }),
    };
    const { page, complaints } = await openConsole(browser, await serveApp({ temporal }), '', { width: 360 });
    const warning = page.getByRole('alert').filter({ hasText: '1 batch call waits for a worker of version 1.0.0' });
    await warning.getByText('outdial worker-version retire 1.0.0').waitFor();
    const topOf = async (of: typeof warning) => (await of.boundingBox())!.y;
    expect(await topOf(warning)).toBeLessThan(await topOf(page.getByRole('region', { name: 'Live calls' })));
    const workers = page.getByRole('region', { name: 'Workers' });
    await workers.getByRole('article', { name: 'Version 1.0.0' }).getByText('No worker of it runs.').waitFor();
    await workers.getByRole('article', { name: 'Version 1.1.0' }).getByText('current', { exact: true }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();

    const without = await openConsole(browser, served, '');
    await without.page.getByRole('region', { name: 'Live calls' }).waitFor();
    expect(await without.page.getByRole('region', { name: 'Workers' }).count()).toBe(0);
    await without.page.close();
  });

  test.each([360, 1_280, 2_560])('everyone can use it at %i px, in both themes', async (width) => {
    const { page, complaints } = await openConsole(browser, served, '', { width });
    await page.getByRole('article', { name: 'March reminders' }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('what changes is shown without a reload, and without scrolling', async () => {
    const { page } = await openConsole(browser, served, '', { width: 400 });
    await page.getByRole('article', { name: 'March reminders' }).waitFor();
    await page.evaluate('window.scrollTo(0, 300)');
    await here().database.pool.query(
      `update batch_counters set pending = pending - 1, answered = answered + 1 from batches
        where batches.id = batch_id and batches.name = 'March reminders'`,
    );
    await vi.waitFor(async () => {
      expect(await segmentsOf(page, 'March reminders')).toMatchObject({ answered: 701, 'not called yet': 9_119 });
    }, soon);
    expect(await page.evaluate('window.scrollY')).toBe(300);
    await page.close();
  });

  test('a name without a space in it makes the page no wider than its window, at 360 px', async () => {
    const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(2).slice(0, 100);
    await aGateway('outbound', { name });
    const { page } = await openConsole(browser, served, '/', { width: 360 });
    await page.getByRole('article', { name }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  test('the requests behind the page can be copied, without the token', async () => {
    const { page } = await openConsole(browser, served, '');
    await page.getByRole('button', { name: 'As curl' }).click();
    const text = await page.getByRole('dialog').locator('pre').innerText();
    expect(text).toContain(`curl '${served.url}/v1/overview' --header "Authorization: $TOKEN"`);
    expect(text).not.toContain(here().me.token);
    await page.close();
  });

  test('the red button says what it will do, does it only once its word is typed, says what it did, and can be undone', async () => {
    const { page, complaints } = await openConsole(browser, served, '');
    await page.getByRole('article', { name: 'March reminders' }).waitFor();
    await page.getByRole('button', { name: 'Stop all dialing' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop all dialing?' });
    await dialog.getByText('2 running batch calls stay as far as they are').waitFor();
    await dialog.getByText('0 live calls go on').waitFor();
    const stop = dialog.getByRole('button', { name: 'Stop all dialing' });
    expect(await stop.isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByLabel('Type stop to confirm').fill('stop');
    await stop.click();

    await page.getByRole('alert').getByText('All dialing is stopped').waitFor();
    await page.getByRole('status').getByText('2 running batch calls are held. No call was live.').waitFor();
    expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: true });
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Resume all dialing' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume all dialing' }).click();
    await page.getByRole('button', { name: 'Stop all dialing' }).waitFor();
    expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: false });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('what the API refuses stands in the dialog, in its words', async () => {
    const { page } = await openConsole(browser, served, '');
    await page.getByRole('button', { name: 'Stop all dialing' }).click();
    await page.route('**/v1/account/stop-dialing', (route) =>
      route.fulfill({ status: 503, json: { error: 'The service is too busy right now. Try again.' } }),
    );
    await page.getByLabel('Type stop to confirm').fill('stop');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop all dialing' }).click();
    await page.getByRole('dialog').getByText('The service is too busy right now. Try again.').waitFor();
    expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: false });
    await page.close();
  });

  test('an account that has nothing yet says so in words', async () => {
    const { token } = await anAccount('Empty');
    const { page } = await openConsole(browser, served, '', { token });
    await page.getByText('No batch call is running or scheduled.').waitFor();
    await page.getByText('There is no outbound gateway.').waitFor();
    await expectAccessible(page);
    await page.close();
  });
});
