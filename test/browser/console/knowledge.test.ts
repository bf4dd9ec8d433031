import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aKnowledgeBase, becomesFailed, becomesReady } from '../../api/knowledge-bases/support.js';
import { api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

describe.skipIf(noBrowser !== undefined)(`what agents use, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  const open = (path: string, options = {}) => openConsole(browser, served, path, options);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = async (page: Page, action: string) => {
    const button = page.getByRole('dialog').getByRole('button', { name: action });
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('Type delete to confirm').fill('delete');
    await button.click();
  };

  test('a file becomes a knowledge base, which says how far it is and what an agent finds, and is deleted', async () => {
    const { page, complaints } = await open('/knowledge/new');
    await press(page, 'Create knowledge base');
    await page.getByText('Choose a file.').waitFor();
    const text = 'Orders can be returned within thirty days.\n\nParcels are sent on Mondays.';
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'shop.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await press(page, 'Create knowledge base');
    await page.getByText('processing', { exact: true }).waitFor();
    const id = page.url().split('/').at(-1)!;
    await becomesReady(id);
    await page.getByText('ready', { exact: true }).waitFor();
    await press(page, 'Show its text');
    await page.getByText('Parcels are sent on Mondays.').waitFor();
    await page.getByLabel('Question or words').fill('returned');
    await press(page, 'Find');
    await page.locator('[data-passage]').first().waitFor();
    const answer = await api.post(`/v1/knowledge-bases/${id}/query`, { query: 'returned' });
    const { data } = answer.body as { data: { position: number }[] };
    expect(await page.locator('[data-passage]').count()).toBe(data.length);
    await expectAccessible(page);
    await press(page, 'Delete');
    await confirm(page, 'Delete this knowledge base');
    await page.getByText('There are no knowledge bases yet.').waitFor();
    expect((await api.get(`/v1/knowledge-bases/${id}`)).status).toBe(404);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a text is refused in the words of the API, and what could not be read says why', async () => {
    const { page } = await open('/knowledge/new');
    await page.getByLabel('From').selectOption('text');
    await press(page, 'Create knowledge base');
    await page.getByText('Nothing was created').waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    const { knowledgeBaseId } = await aKnowledgeBase();
    await becomesFailed(knowledgeBaseId, 'It holds pictures and no text.');
    await page.goto(`${served.url}/console/knowledge/${knowledgeBaseId}`);
    await page.getByRole('alert').getByText('It holds pictures and no text.').waitFor();
    await page.close();
  });

  test('a tool is made with every problem at its field, changed without its headers, and deleted', async () => {
    const { page } = await open('/tools/new');
    await page.getByLabel('Headers').fill('no colon');
    await press(page, 'Create tool');
    await page.getByText(/“no colon” has no colon/).waitFor();
    await page.getByLabel('Headers').fill('Authorization: Bearer secret-1234');
    await page.getByLabel('Arguments').fill('{"type": "array"}');
    await press(page, 'Create tool');
    await page.getByLabel('Name of the function').and(page.locator('[aria-invalid=true]')).waitFor();
    for (const label of ['What it does, and when to use it', 'Address', 'Arguments']) {
      expect({ label, invalid: await page.getByLabel(label).getAttribute('aria-invalid') }).toEqual({
        label,
        invalid: 'true',
      });
    }
    await page.getByLabel('Name of the function').fill('find_day');
    await page.getByLabel('What it does, and when to use it').fill('Finds a day.');
    await page.getByLabel('Address').fill('https://example.com/days');
    await page.getByLabel('Arguments').fill('');
    await press(page, 'Create tool');
    await page.getByRole('heading', { level: 1, name: 'find_day' }).waitFor();
    expect(await page.getByLabel('Headers').inputValue()).not.toContain('secret');
    await page.getByLabel('Method').selectOption('GET');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await press(page, 'Save');
    expect((await sent).postDataJSON()).toEqual({ method: 'GET' });
    await page.getByText('Saved.').waitFor();
    await expectAccessible(page);
    const id = page.url().split('/').at(-1)!;
    await press(page, 'Delete');
    await confirm(page, 'Delete this tool');
    await page.getByText('There are no tools yet.').waitFor();
    expect((await api.get(`/v1/tools/${id}`)).status).toBe(404);
    await page.close();
  });

  test('everyone can use these pages, and a token that may only read is offered nothing', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    const { knowledgeBaseId } = await aKnowledgeBase();
    const tool = { name: 'find_hour', description: 'Finds an hour.', url: 'https://example.com/hours' };
    const { toolId } = (await api.post('/v1/tools', tool)).body as { toolId: string };
    const paths = [
      '/knowledge',
      `/knowledge/${knowledgeBaseId}`,
      '/knowledge/new',
      '/tools',
      `/tools/${toolId}`,
      '/tools/new',
    ];
    for (const [index, path] of paths.entries()) {
      const { page, complaints } = await open(path, { width: index % 2 === 0 ? 360 : 2_560 });
      await page.locator('form, table, dl').first().waitFor();
      await expectAccessible(page);
      expect({ path, complaints }).toEqual({ path, complaints: [] });
      await page.close();
      const { page: reading } = await open(path, { token });
      await reading.getByText('read only').waitFor();
      await reading.locator('table, dl, pre').or(reading.getByText('Your token may only read.')).first().waitFor();
      const offered = reading.locator('main').getByRole('button', { name: /Delete|Create|Save|Find/ });
      expect({ path, offered: await offered.count() }).toEqual({ path, offered: 0 });
      expect(await reading.getByRole('link', { name: /^New/ }).count()).toBe(0);
      await reading.close();
    }
  });
});
