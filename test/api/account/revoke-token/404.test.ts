import { expect, test } from 'vitest';
import { signToken } from '../../../../platform/token.js';
import { anAccount, api, here } from '../../support.js';

const revoke = (token: string) => api.post('/v1/account/tokens/revoke', { token });

test('a token of another account, a forged one and what is none are not told apart', async () => {
  const stranger = await anAccount('Stranger');
  const forged = await signToken(`sk_${'0'.repeat(43)}`, { keyId: here().me.key.id });
  const answers = [await revoke(stranger.token), await revoke(forged), await revoke('no token'), await revoke('')];
  for (const { status, text } of answers) {
    expect(status).toBe(404);
    expect(text).toBe(answers[0]?.text);
  }
  expect((await api.get('/v1/account', { token: stranger.token })).status).toBe(200);
});
