import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signToken } from '../../platform/token.js';
import { aTriedAgent, withSettings } from '../api/playground/support.js';
import { api, here, settings, useApi } from '../api/support.js';
import { fakeLanguageModel, type FakeLanguageModel } from '../workflow/language-model.js';
import { complaintsOf, noBrowser, openBrowser, serveApp, type ServedApp } from './browser.js';

useApi();

settings.OUTDIAL_PROVIDER = 'simulator';

const languages = {
  english: {
    prompt: 'Remind {{first_name}} of the appointment.',
    greeting: { text: 'Hello {{first_name}}, this is the clinic.' },
    llm: [{ model: 'custom/local' }],
  },
  hindi: { prompt: 'याद दिलाओ।', greeting: { text: 'नमस्ते।' }, llm: [{ model: 'custom/local' }] },
};

describe.skipIf(noBrowser !== undefined)(`the playground in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let model: FakeLanguageModel;
  let served: ServedApp;
  let page: Page;
  let complaints: string[];
  let agentId: string;

  beforeAll(async () => {
    browser = await openBrowser();
    model = await fakeLanguageModel();
    served = await serveApp({ env: withSettings({ OUTDIAL_CUSTOM_LLM_URL: model.url }) });
    agentId = await aTriedAgent({ languages });
  });
  afterAll(async () => {
    await browser.close();
    await model.close();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    complaints = complaintsOf(page);
  });
  afterEach(() => page.close());

  const address = (token: string, agent = agentId) => `${served.url}/playground/${agent}#token=${token}`;
  const log = () => page.getByRole('log');
  const alert = () => page.getByRole('alert');

  test('the token is gone from address and history at once, and reaches no request line, Referer or log line', async () => {
    const { token } = here().me;
    await page.goto('about:blank');
    await page.goto(address(token));
    await log().getByText('this is the clinic').waitFor();

    expect(page.url()).toBe(`${served.url}/playground/${agentId}`);
    expect(await page.evaluate('location.href + history.length')).toBe(`${served.url}/playground/${agentId}2`);
    expect(await page.evaluate('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])')).toBe(
      '[{},{},""]',
    );
    expect(served.asked.map(({ url }) => url)).toContain(`/v1/agents/${agentId}/playground-messages`);
    const signature = token.split('.')[2]!;
    expect(JSON.stringify(served.asked)).not.toContain(signature);
    expect(served.asked.filter(({ url, referer }) => /token|eyJ/.test(url + (referer ?? '')))).toEqual([]);
    expect(served.log()).toContain('/playground-sessions');
    expect(served.log()).not.toContain(signature);
    expect(served.log()).not.toContain('eyJ');
    expect(complaints).toEqual([]);
  });

  test('only the session’s token is used after the exchange', async () => {
    const { token } = here().me;
    const tokens: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') tokens.push(request.headers().authorization);
    });
    await page.goto(address(token));
    await log().getByText('this is the clinic').waitFor();
    const [first, ...others] = tokens;
    expect(first).toBe(token);
    expect(others.length).toBeGreaterThan(0);
    expect(others).not.toContain(token);
  });

  test('without LiveKit it says why, and the agent answers in writing', async () => {
    model.replies = ['Tuesday at nine then.'];
    await page.goto(address(here().me.token));
    await log().getByText('Hello , this is the clinic.').waitFor();
    await page.getByText('In writing only.').waitFor();
    await page.getByText('Nothing fills {{first_name}}.').waitFor();

    await page.getByLabel('first_name').fill('Asha');
    await page.getByRole('button', { name: 'Begin with these' }).click();
    await log().getByText('Hello Asha, this is the clinic.').waitFor();
    await page.getByLabel('What you say').fill('Could we make it Tuesday?');
    await page.getByRole('button', { name: 'Send' }).click();
    await log().getByText('Tuesday at nine then.').waitFor();

    const question = model.asked.at(-1);
    expect(question?.messages[0]?.content).toContain('Remind Asha of the appointment.');
    expect(question?.messages.slice(1)).toEqual([
      { role: 'assistant', content: 'Hello Asha, this is the clinic.' },
      { role: 'user', content: 'Could we make it Tuesday?' },
    ]);
    expect(complaints).toEqual([]);
  });

  test('what the account has said before every greeting comes first, as in a call', async () => {
    const disclosure = 'This call is made by an artificial voice.';
    await api.put('/v1/account/guardrails', { disclosure });
    await page.goto(address(here().me.token));
    await log().getByText('this is the clinic').waitFor();
    const lines = await log().locator('.line p').allInnerTexts();
    expect(lines).toEqual([disclosure, 'Hello , this is the clinic.']);
    await api.put('/v1/account/guardrails', {});
  });

  test('the agent speaks the language that is chosen', async () => {
    await page.goto(address(here().me.token));
    await page.getByLabel('Language').selectOption('hindi');
    await page.getByRole('button', { name: 'Begin with these' }).click();
    await log().getByText('नमस्ते।').waitFor();
  });

  test('a model that fails is told, and what was written is given back to be sent again', async () => {
    await page.goto(address(here().me.token));
    await log().getByText('this is the clinic').waitFor();
    model.replies = [...model.asked.map(() => 0), 500, 'Now I hear you.'];
    await page.getByLabel('What you say').fill('Hello?');
    await page.getByLabel('What you say').press('Enter');
    await alert().getByText('custom/local gave no answer').waitFor();
    expect(await page.getByLabel('What you say').inputValue()).toBe('Hello?');
    await page.getByLabel('What you say').press('Enter');
    await log().getByText('Now I hear you.').waitFor();
  });

  test('a model without a key is named, with the setting that it needs', async () => {
    const keyless = await aTriedAgent({
      languages: { english: { prompt: 'Be kind.', llm: [{ model: 'groq/llama-3.3-70b-versatile' }] } },
    });
    await page.goto(address(here().me.token, keyless));
    await alert().getByText('GROQ_API_KEY').waitFor();
    expect(await page.getByLabel('What you say').isDisabled()).toBe(true);
  });

  test('an inactive agent is said to be one', async () => {
    const inactive = await aTriedAgent({ languages }, { status: 'inactive' });
    await page.goto(address(here().me.token, inactive));
    await page.getByText('inactive', { exact: true }).waitFor();
    await page.getByText('You are trying its latest version').waitFor();
  });

  test.each<[string, string, () => string | Promise<string>]>([
    ['a wrong token', 'This token is not valid', () => address('wrong')],
    ['no token', 'This page has no token', () => `${served.url}/playground/${agentId}`],
    [
      'a token that has expired',
      'This token has expired',
      async () => {
        const { key, secret } = here().me;
        return address(await signToken(secret, { keyId: key.id, ttlSeconds: 60 }, new Date(Date.now() - 3_600_000)));
      },
    ],
    [
      'a token that may only read',
      'may not try this agent',
      async () => address(await signToken(here().me.secret, { keyId: here().me.key.id, permissions: ['read'] })),
    ],
    [
      'an agent that is none of the account',
      'There is no such agent',
      () => address(here().me.token, 'agt_01990000-0000-7000-8000-000000000000'),
    ],
  ])('%s is told in clear words', async (_name, words, opened) => {
    await page.goto(await opened());
    await alert().getByText(words).waitFor();
    expect(page.url()).not.toContain('token');
  });

  test('the same address with a good token, opened in the same tab, opens the agent', async () => {
    await page.goto(address('wrong'));
    await alert().getByText('This token is not valid').waitFor();
    await page.goto(address(here().me.token));
    await log().getByText('this is the clinic').waitFor();
    expect(page.url()).toBe(`${served.url}/playground/${agentId}`);
  });

  test('a reload forgets the token and says so', async () => {
    await page.goto(address(here().me.token));
    await log().getByText('this is the clinic').waitFor();
    await page.reload();
    await alert().getByText('a reload forgets the one in its address').waitFor();
  });
});
