import { expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { signToken } from '../../../platform/token.js';
import { ask, unknownIds, pathWith } from '../one-of-each.js';
import { here } from '../support.js';

const named = operations.map((operation) => [`${operation.method} ${operation.url}`, operation] as const);
const tokenFor = (permissions: readonly string[]) =>
  signToken(here().me.secret, { keyId: here().me.key.id, permissions });
const forbidden = { status: 403, body: { error: expect.any(String) as unknown } };

// shows: token.read
test.each(named.filter(([, { method }]) => method !== 'GET'))(
  '%s is 403 with {error} to a read token',
  async (_name, operation) => {
    const response = await ask(operation, pathWith(operation.url, unknownIds()), { token: await tokenFor(['read']) });
    expect(response).toMatchObject(operation.playground === true ? {} : forbidden);
  },
);

// shows: token.read
test.each(named.filter(([, { method }]) => method === 'GET'))(
  '%s answers a read token as it should',
  async (_name, operation) => {
    const response = await ask(operation, pathWith(operation.url, unknownIds()), { token: await tokenFor(['read']) });
    // The one thing that a read token must not read is what is itself a secret.
    expect(operation.answersSecret === true ? [403] : [200, 404]).toContain(response.status);
  },
);

// shows: token.unknown-permission
test.each(named)('%s is 403 to a token whose permissions are none or unknown', async (_name, operation) => {
  for (const permissions of [[], ['everything'], ['write', 'admin']]) {
    const token = await tokenFor(permissions);
    expect(await ask(operation, pathWith(operation.url, unknownIds()), { token })).toMatchObject(forbidden);
  }
});

// shows: token.playground
test.each(named.filter(([, { playground }]) => playground !== true))(
  '%s is 403 to a token of the playground',
  async (_name, operation) => {
    const token = await tokenFor(['playground']);
    expect(await ask(operation, pathWith(operation.url, unknownIds()), { token })).toMatchObject(forbidden);
  },
);

const isOfGuardrails = (url: string) => url.includes('/guardrails');
const isListening = (url: string) => /\/(?:listen|whisper)$/.test(url);

test.each(named)(
  '%s is done for a token that operates, unless it changes guardrails or hears calls',
  async (_, asked) => {
    const { method, url } = asked;
    const { status } = await ask(asked, pathWith(url, unknownIds()), { token: await tokenFor(['operate']) });
    expect(status === 403).toBe((isOfGuardrails(url) && method !== 'GET') || isListening(url));
  },
);

test.each(named)('%s is done for a token of guardrails or of listening only if it is about them', async (_, asked) => {
  const path = pathWith(asked.url, unknownIds());
  for (const [word, isItsOwn] of [
    ['guardrails', isOfGuardrails],
    ['listen', isListening],
  ] as const) {
    const { status } = await ask(asked, path, { token: await tokenFor([word]) });
    expect(status === 403).toBe(!isItsOwn(asked.url));
  }
});

test.each(named)('%s is 403 to a token for one agent, unless its path names that agent', async (_name, asked) => {
  const { secret, key } = here().me;
  const ids = unknownIds();
  for (const agentId of [ids.agentId, unknownIds().agentId]) {
    for (const words of [undefined, ['operate'], ['read', 'playground', 'operate', 'guardrails', 'listen']]) {
      const request = { keyId: key.id, ...(words && { permissions: words }), ...(agentId && { agentId }) };
      const { status } = await ask(asked, pathWith(asked.url, ids), { token: await signToken(secret, request) });
      expect(status === 403).toBe(!(asked.url.includes(':agentId') && agentId === ids.agentId));
    }
  }
});
