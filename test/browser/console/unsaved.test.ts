import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { anAgent } from '../../api/agents/support.js';
import { aBatch } from '../../api/batch-calls/support.js';
import { aCampaign } from '../../api/campaigns/support.js';
import type { NewAccount } from '../../../api/account/accounts.js';
import { signToken } from '../../../platform/token.js';
import { anAccount, api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

/** Forms that nobody loses anything by leaving, each with why. */
const others: Readonly<Record<string, string>> = {
  'session/sign-in.tsx': 'a token, which is pasted again',
  'session/sign-in-again.tsx': 'a token, which is pasted again',
  'people/page.tsx': 'asks for a number',
  'guardrails/check.tsx': 'asks for a number',
  'knowledge/base.tsx': 'asks what an agent finds',
  'ui/confirm.tsx': 'one word, or what was chosen',
  'campaign/form.tsx': 'the pages that have it send it',
  'playground/fields.tsx': 'the playground, a page of its own that keeps nothing',
  'playground/text-conversation.tsx': 'the playground, a page of its own that keeps nothing',
};

test('every form of the console asks before it is left, or is named here with why it does not', () => {
  const files = readdirSync('console', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const forms = files.filter((name) => {
    const code = readFileSync(join('console', name), 'utf8');
    return code.includes('<form') && !code.includes('useUnsaved(') && !code.includes('<SaveChanges');
  });
  expect(forms.sort()).toEqual(Object.keys(others).sort());
});

describe.skipIf(noBrowser !== undefined)(`what was typed and not saved, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });
  const open = async (path: string) => (await openConsole(browser, served, path)).page;
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

  /** Makes what pages with forms are about. @returns each page with a field of its form */
  async function forms(): Promise<readonly (readonly [path: string, field: string])[]> {
    const { batchId, route } = await aBatch({ status: 'running', counts: { pending: 1 } });
    const campaignId = await aCampaign();
    const { agentId } = await anAgent();
    const tool = { name: 'look_up', description: 'Looks it up.', url: 'https://example.com/look-up' };
    const { toolId } = (await api.post('/v1/tools', tool)).body as { toolId: string };
    const number = encodeURIComponent(route.phoneNumber);
    return [
      ['/new', 'Name of the batch call'],
      [`/batches/${batchId}?view=settings`, 'Name'],
      ['/campaigns/new', 'Name'],
      [`/campaigns/${campaignId}?view=settings`, 'Name'],
      ['/agents/new', 'Name'],
      ['/agents/new?view=json', 'Config'],
      [`/agents/${agentId}`, 'Prompt'],
      [`/agents/${agentId}`, 'What has changed'],
      ['/knowledge/new', 'Name'],
      ['/tools/new', 'Name of the function'],
      [`/tools/${toolId}`, 'Address'],
      ['/gateways/new', 'Name'],
      [`/gateways/${route.gatewayId}`, 'Name'],
      ['/numbers/new', 'Name'],
      [`/numbers/${number}`, 'Name'],
      ['/rules/new', 'Name'],
      [`/rules/${route.ruleId}`, 'Name'],
      ['/guardrails', 'Countries that may be called'],
      ['/defaults', 'Country'],
      ['/prices', 'Currency'],
    ];
  }

  test('every page with a form asks before a link leads away from it, and stays as it was', async () => {
    for (const [path, field] of await forms()) {
      const page = await open(path);
      const input = page.locator('main').getByLabel(field, { exact: true }).first();
      await input.fill('typed');
      await follow(page, 'Audit log');
      await question(page).waitFor();
      await page.getByRole('button', { name: 'Stay' }).click();
      await question(page).waitFor({ state: 'detached' });
      expect({ path, typed: await input.inputValue() }).toEqual({
        path,
        typed: field === 'Currency' ? 'TYPED' : 'typed',
      });
      await page.close();
    }
  });

  test('by link, by the browser’s buttons, by signing out and with the tab nothing typed is lost unasked', async () => {
    const page = await open('/audit-log');
    await heading(page, 'Audit log').waitFor();
    await follow(page, 'Tools');
    await page.getByRole('link', { name: 'New tool' }).click();
    const description = page.getByLabel('What it does, and when to use it');
    await description.fill('Looks it up.');
    await description.click();
    await page.goBack();
    await question(page).waitFor();
    await page.getByRole('button', { name: 'Stay' }).and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/console/tools/new');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question(page).getByRole('button', { name: 'Stay' }).click();
    expect(await description.inputValue()).toBe('Looks it up.');

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();

    await page.goBack();
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await heading(page, 'Tools').waitFor();
    await follow(page, 'Audit log');
    await heading(page, 'Audit log').waitFor();
    expect(await question(page).count()).toBe(0);
  });

  test('dialogs with something typed are no way around it', async () => {
    await aBatch({ name: 'Spring', status: 'running', counts: { pending: 1 } });
    for (const [from, link, button, field] of [
      ['/batches', 'Spring', 'Add recipients', 'Numbers'],
      ['/usage', 'Do-not-call list', 'Add numbers', 'Or paste numbers'],
      ['/usage', 'API keys', 'New key', 'What it is for'],
      ['/usage', 'Webhooks', 'New webhook', 'Address'],
    ] as const) {
      const page = await open(from);
      await follow(page, link);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').getByLabel(field, { exact: true }).fill('typed');
      await page.goBack();
      await page.getByRole('button', { name: 'Stay' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await question(page).waitFor({ state: 'detached' });
      expect(await page.getByRole('dialog').getByLabel(field, { exact: true }).inputValue()).toBe('typed');
      await page.close();
    }
  });

  test('a token that is refused while something is typed takes nothing away: another one of the account goes on with it', async () => {
    const { me } = here();
    const tokenOf = (account: NewAccount, permissions?: readonly string[]) =>
      signToken(account.secret, { keyId: account.key.id, ...(permissions === undefined ? {} : { permissions }) });
    const { page, complaints } = await openConsole(browser, served, '/tools/new', { token: await tokenOf(me) });
    await page.getByLabel('Name of the function').fill('find_parcel');
    await page.getByLabel('What it does, and when to use it').fill('Finds a parcel.');
    await page.getByLabel('Address', { exact: true }).fill('https://example.com/parcels');
    const token = await page.evaluate<string>("sessionStorage.getItem('outdial.token')");
    expect((await api.post('/v1/account/tokens/revoke', { token })).status).toBe(200);
    await page.getByRole('button', { name: 'Create tool' }).click();

    const again = page.getByRole('dialog', { name: 'Sign in to go on' });
    await again.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    const answers = async (sent: string, words: string) => {
      await again.getByLabel('API token', { exact: true }).fill(sent);
      await again.getByRole('button', { name: 'Sign in' }).click();
      await again.getByRole('alert').getByText(words).waitFor();
    };
    await answers(token, 'revoked');
    await answers((await anAccount()).token, 'This token is of another account');
    await answers(await tokenOf(me, ['read']), 'This token may only read');
    await again.getByLabel('API token', { exact: true }).fill(me.token);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Create tool' }).click();
    await heading(page, 'find_parcel').waitFor();
    expect(((await api.get('/v1/tools')).body as { data: object[] }).data).toContainEqual(
      expect.objectContaining({ description: 'Finds a parcel.', url: 'https://example.com/parcels' }),
    );
    expect(complaints.filter((words) => !words.includes('401'))).toEqual([]);
  });

  test('nor does one that is refused while a dialog is open take away what was typed in it', async () => {
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id });
    const { page } = await openConsole(browser, served, '/keys', { token });
    const seen = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    await page.getByRole('button', { name: 'Revoke a token' }).click();
    await page.getByLabel('The whole token').fill(seen);
    await page.getByLabel('Type revoke to confirm').fill('revoke');
    expect((await api.post('/v1/account/tokens/revoke', { token })).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke this token' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in to go on' });
    await again.getByLabel('API token', { exact: true }).fill(me.token);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke this token' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await api.get('/v1/account', { token: seen })).status).toBe(401);
  });

  /** Makes a key on the page of keys, whose secrets are then shown. */
  async function aShownKey(): Promise<Page> {
    const page = await open('/usage');
    await follow(page, 'API keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('What it is for').fill('Reports');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('The key Reports was created.').waitFor();
    return page;
  }

  test('a key that is shown once is not left unasked, nor is the tab, before it is said to be kept', async () => {
    const page = await aShownKey();
    await page.keyboard.press('Escape');
    await page.goBack();
    await question(page).getByText('What this page shows is not shown again').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await page.getByText('The key Reports was created.').waitFor();
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await follow(page, 'Audit log');
    await heading(page, 'Audit log').waitFor();
  });

  test('a key that is shown once is left unasked once all of it is copied, and not before', async () => {
    const page = await aShownKey();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: Token' }).click();
    await page.getByText('Copied').waitFor();
    await follow(page, 'Audit log');
    await question(page).getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Copy: Secret' }).click();
    await page.getByRole('button', { name: 'Copy: Secret' }).getByText('Copied').waitFor();
    await follow(page, 'Audit log');
    await heading(page, 'Audit log').waitFor();
  });

  test('nothing is asked after saving, after undoing, and between views that have the same text', async () => {
    const page = await open('/tools/new');
    await page.getByLabel('Name of the function').fill('find_order');
    await page.getByLabel('What it does, and when to use it').fill('Finds an order.');
    await page.getByLabel('Address', { exact: true }).fill('https://example.com/orders');
    await page.getByRole('button', { name: 'Create tool' }).click();
    await heading(page, 'find_order').waitFor();
    await page.getByLabel('Address', { exact: true }).fill('https://example.com/all-orders');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Address', { exact: true }).fill('https://example.com/none');
    await page.getByRole('button', { name: 'Undo' }).click();
    await follow(page, 'Agents');
    await page.getByRole('link', { name: 'New agent' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Reminder');
    await follow(page, 'Write it as JSON');
    await page.getByLabel('Config').fill('{"name": "Reminder",');
    await follow(page, 'Use the form');
    await question(page).getByRole('button', { name: 'Stay' }).click();
    await page.getByLabel('Config').fill('{"name": "Kind reminder", "languages": {"english": {"prompt": ""}}}');
    await follow(page, 'Use the form');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kind reminder');
    await page.getByLabel('Prompt').fill('Be kind.');
    await page.getByRole('button', { name: 'Create agent' }).click();
    await heading(page, 'Kind reminder').waitFor();
    await follow(page, 'Audit log');
    await heading(page, 'Audit log').waitFor();
  });
});
