import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aBatch } from '../../api/batch-calls/support.js';
import { aDialedBatch } from '../../api/batch-calls/support-timeline.js';
import { api, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Point {
  readonly at: string;
  readonly dialed: number;
  readonly answered: number;
  readonly ended: number;
  readonly live: number;
}

describe.skipIf(noBrowser !== undefined)(`a batch call over time, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  test.each([360, 1_280])('each moment says what the API says of it, by keyboard too, at %i px', async (width) => {
    const batchId = await aDialedBatch([
      [10, 30],
      [40, 70],
      [55, 250],
    ]);
    const { points } = (await api.get(`/v1/batch-calls/${batchId}/timeline`)).body as { points: Point[] };
    expect(points).toHaveLength(5);
    const { page, complaints } = await openConsole(browser, served, `/batches/${batchId}`, { width });
    const region = page.getByRole('region', { name: 'Over time' });
    await region.getByText('peak 2', { exact: true }).waitFor();
    await region.getByText('peak 3 dialed').waitFor();
    const slider = region.getByRole('slider', { name: 'Time' });
    await slider.focus();
    // The last moment is shown first: from there, back to the first.
    for (const { at, live, dialed, answered, ended } of [...points].reverse()) {
      const said = await region.locator(`[data-moment="${at}"]`).innerText();
      expect(said).toContain(`${live} live at the end, ${dialed} dialed, ${answered} answered, ${ended} ended`);
      await page.keyboard.press('ArrowLeft');
    }
    // Every step is in the outline: up to its height, and on to its end.
    const outline = await region.locator('path[data-series=live]').getAttribute('d');
    expect(outline).toBe('M0 100V0.00H1V50.00H2V50.00H3V50.00H4V100.00H5V100Z');
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('before anything is dialed it says so', async () => {
    const { batchId } = await aBatch({ counts: { pending: 3 } });
    const { page } = await openConsole(browser, served, `/batches/${batchId}`);
    await page.getByRole('region', { name: 'Over time' }).getByText('Nothing has been dialed yet.').waitFor();
    await page.close();
  });
});
