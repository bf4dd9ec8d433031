import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aDeploy, aLiveAgent, anAgent, aVersion, goLiveNow } from '../../api/agents/support.js';
import { aBatch, aRoute } from '../../api/batch-calls/support.js';
import { aRegisteredNumber, aRule } from '../../api/support-resources.js';
import { api, here, useApi } from '../../api/support.js';
import { noBrowser, sharedBrowser, serveApp, type ServedApp } from '../browser.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

interface Answer {
  readonly status: string;
  readonly config: { readonly languages: Record<string, { readonly prompt: string }> };
}

describe.skipIf(noBrowser !== undefined)(`agents, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;

  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp({ temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) } });
  });

  const open = (path: string, options = {}) => openConsole(browser, served, path, options);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const agentOf = async (agentId: string) => (await api.get(`/v1/agents/${agentId}`)).body as Answer;

  test('an agent is made with fields; what the API refuses stands at each, and what it stores is what was typed', async () => {
    const { page, complaints } = await open('/agents/new');
    await press(page, 'Create agent');
    await page.getByText('This was not saved').waitFor();
    for (const label of ['Name', 'Prompt']) {
      const invalid = await page.getByLabel(label, { exact: true }).getAttribute('aria-invalid');
      expect({ label, invalid }).toEqual({ label, invalid: 'true' });
    }
    await page.getByLabel('Name', { exact: true }).fill('Reminder');
    await page.getByLabel('Greeting').fill('Hello {{name}}.');
    await page.getByLabel('Prompt').fill('Be kind.\nBe brief.');
    await page.getByText('Models and voice in english').click();
    await page.getByLabel('Language model', { exact: true }).fill('nobody/none');
    await page.getByLabel('Language model key', { exact: true }).fill('••••1234');
    await press(page, 'Create agent');
    await page.getByLabel('Language model', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Language model', { exact: true }).fill('openai/gpt-4o');
    await page.getByLabel('Language model key', { exact: true }).fill('sk-own-1234');
    await page.getByLabel('Add a language').selectOption({ index: 2 });
    await page.getByRole('button', { name: /^Take (?!english).* off$/ }).click();
    await press(page, 'Create agent');
    await page.getByRole('heading', { level: 1, name: 'Reminder' }).waitFor();
    const agentId = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await agentOf(agentId)).config).toEqual({
      name: 'Reminder',
      languages: {
        english: {
          greeting: { text: 'Hello {{name}}.' },
          prompt: 'Be kind.\nBe brief.',
          llm: [{ model: 'openai/gpt-4o', apiKey: expect.stringContaining('1234') as unknown }],
        },
      },
    });
    expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
    await page.close();
  });

  test('a change is a new version that keeps what has no field; the key of a provider has to be sent again', async () => {
    const english = { prompt: 'Be kind.', llm: [{ model: 'openai/gpt-4o', apiKey: 'sk-own-1234' }] };
    const analysis = { schema: { type: 'object', properties: { paid: { type: 'boolean' } } } };
    const { agentId } = await anAgent({ name: 'Debts', languages: { english }, analysis });
    const { page } = await open(`/agents/${agentId}`);
    await page.getByLabel('Prompt').fill('Be firm.');
    await page.getByLabel('What has changed').fill('Firmer');
    await press(page, 'Save as a new version');
    await page.getByText('is the masked form of a key; send the full key again').first().waitFor();
    await page.getByLabel('Language model key', { exact: true }).fill('sk-new-5678');
    await press(page, 'Save as a new version');
    await page.getByText('Saved as a new version.').waitFor();
    const { config } = await agentOf(agentId);
    expect(config).toMatchObject({ analysis, languages: { english: { prompt: 'Be firm.' } } });

    await page.getByRole('link', { name: 'As JSON' }).click();
    const text = page.getByLabel('Config', { exact: true });
    const json = await text.inputValue();
    await text.fill(`${json},`);
    await page.getByText(/This is not JSON/).waitFor();
    expect(await page.getByRole('button', { name: 'Save as a new version' }).isDisabled()).toBe(true);
    await text.fill(JSON.stringify({ ...JSON.parse(json), languages: { english: { prompt: 5 } } }));
    await press(page, 'Save as a new version');
    await page.getByRole('alert').getByText('languages.english.prompt').waitFor();
    await text.fill(JSON.stringify({ ...JSON.parse(json), languages: { english: { prompt: 'Ask.' } } }));
    await press(page, 'Save as a new version');
    await page.getByText('Saved as a new version.').waitFor();
    expect((await agentOf(agentId)).config.languages).toEqual({ english: { prompt: 'Ask.' } });
    await page.getByRole('link', { name: 'Config', exact: true }).click();
    expect(await page.getByLabel('Prompt').inputValue()).toBe('Ask.');
    await page.close();
  });

  test('versions are compared line by line, and one is deployed after it is said who gets it', async () => {
    const { agentId } = await aLiveAgent({ name: 'Survey', languages: { english: { prompt: 'One\nTwo\nThree' } } });
    await aVersion(agentId, { name: 'Survey', languages: { english: { prompt: 'One\n2\nThree' } } });
    const { e164 } = await aRegisteredNumber({ phoneNumbers: ['+14155550401'] });
    const ruleId = await aRule({ agentId, name: 'Evening', phoneNumbers: [e164] });
    const route = { ...(await aRoute()), ruleId, agentId };
    await aBatch({ name: 'Tonight', status: 'running', route });
    const { page } = await open(`/agents/${agentId}?view=versions`);
    await page.getByRole('region', { name: 'Difference' }).waitFor();
    const lines = (kind: string) => page.locator(`[data-diff=${kind}]`).allInnerTexts();
    expect((await lines('gone')).map((line) => line.slice(-3))).toEqual(['Two']);
    expect((await lines('new')).map((line) => line.slice(-1))).toEqual(['2']);
    await expectAccessible(page);
    await press(page, 'Deploy: version 2');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 rule (Evening): their calls use it').waitFor();
    await dialog.getByText(/1 batch call \(Tonight\)/).waitFor();
    await dialog.getByRole('button', { name: 'Deploy version 2' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Deployments' }).click();
    await page.getByRole('cell', { name: 'pending' }).waitFor();
    const { data } = (await api.get(`/v1/agents/${agentId}/deployments`)).body as { data: { deploymentId: string }[] };
    await goLiveNow(data[0]!.deploymentId);
    await page.getByRole('cell', { name: 'retired' }).waitFor();
    await expectAccessible(page);

    await press(page, 'Undeploy');
    await dialog.getByText('1 batch call (Tonight): running ones are paused').waitFor();
    const undeploy = dialog.getByRole('button', { name: 'Undeploy this agent' });
    expect(await undeploy.isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Type undeploy to confirm').fill('undeploy');
    await undeploy.click();
    await page.getByText('not live', { exact: true }).waitFor();
    expect((await agentOf(agentId)).status).toBe('inactive');

    await press(page, 'Delete');
    await page.getByLabel('Type delete to confirm').fill('delete');
    await dialog.getByRole('button', { name: 'Delete this agent' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await api.get(`/v1/agents/${agentId}`)).status).toBe(200);
    await page.close();
  });

  test('an agent that nothing uses is deleted, and the list no longer has it', async () => {
    const languages = { english: { prompt: 'Be kind.' } };
    await anAgent({ name: 'Kept', languages });
    const { agentId } = await anAgent({ name: 'Spare', languages });
    await aDeploy(agentId);
    const { page, complaints } = await open('/agents?status=inactive');
    await page.getByRole('link', { name: 'Kept' }).waitFor();
    await page.getByRole('searchbox').fill('spare');
    await page.waitForURL(/search=spare/);
    await page.getByRole('link', { name: 'Kept' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Spare' }).click();
    await press(page, 'Delete');
    await page.getByText('No routing rule uses this agent').waitFor();
    await page.getByLabel('Type delete to confirm').fill('delete');
    await press(page, 'Delete this agent');
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    expect((await api.get(`/v1/agents/${agentId}`)).status).toBe(404);
    // The page that is being left may ask for the agent once more.
    expect(complaints.filter((words) => !words.includes('404'))).toEqual([]);
    await page.close();
  });

  test('“Try it” opens the playground with no token in any address', async () => {
    const { agentId } = await anAgent();
    const { page } = await open(`/agents/${agentId}`);
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Try it' }).click();
    const playground = await opening;
    await playground
      .getByRole('heading', { name: 'The agent cannot be opened' })
      .or(playground.getByRole('heading').first())
      .waitFor();
    expect(await playground.getByText('This page has no token').count()).toBe(0);
    expect(playground.url()).toBe(`${served.url}/playground/${agentId}`);
    await page.close();
  });

  test('everyone can use these pages, and a token that may only read is offered nothing', async () => {
    const { agentId } = await aLiveAgent();
    const { me } = here();
    const token = await signToken(me.secret, { keyId: me.key.id, permissions: ['read'] });
    for (const [index, path] of [
      '/agents',
      `/agents/${agentId}`,
      `/agents/${agentId}?view=json`,
      '/agents/new',
    ].entries()) {
      const { page, complaints } = await open(path, { width: index % 2 === 0 ? 360 : 2_560 });
      await page.locator('form, table').first().waitFor();
      await expectAccessible(page);
      expect({ path, complaints }).toEqual({ path, complaints: [] });
      await page.close();
      const { page: reading } = await open(path, { token });
      await reading.getByText('read only').waitFor();
      await reading.locator('pre, table').or(reading.getByText('Your token may only read.')).first().waitFor();
      const offered = reading.locator('main').getByRole('button', { name: /Deploy|Undeploy|Delete|Save|Create/ });
      expect({ path, offered: await offered.count() }).toEqual({ path, offered: 0 });
      expect(await reading.getByRole('link', { name: /New agent|Try it/ }).count()).toBe(0);
      await reading.close();
    }
  });
});
