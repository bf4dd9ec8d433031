import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

describe('200', () => {
  interface Secrets {
    secret: string;
    previousSecret?: string;
    previousValidUntil?: string;
  }

  const secrets = async (token = here().me.token) => {
    const response = await api.get('/v1/account/webhook-secret', { token });
    expect(response.status).toBe(200);
    return response.body as Secrets;
  };

  // shows: account.secret
  test('the secret is one that the receiver’s library takes, and it stays the same', async () => {
    const { secret } = await secrets();
    const payload = '{"event":"batchcall-started"}';
    const at = new Date();
    const signature = new Webhook(secret).sign('whd_1', at, payload);
    const headers = {
      'webhook-id': 'whd_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    };
    expect(new Webhook((await secrets()).secret).verify(payload, headers)).toEqual({ event: 'batchcall-started' });
  });

  // shows: token.sealed
  test('each account has its own, and it is sealed at rest', async () => {
    const other = await anAccount();
    const [mine, theirs] = [await secrets(), await secrets(other.token)];
    expect(mine.secret).not.toBe(theirs.secret);
    expect(Object.keys(mine)).toEqual(['secret']);
    const [row] = await rowsOf<{ webhook_secret_sealed: string }>(
      'select webhook_secret_sealed from accounts where id = $1',
      [here().me.account.id],
    );
    expect(row?.webhook_secret_sealed).not.toContain(mine.secret.slice(6));
  });

  // shows: account.secret
  test('after a rotation the previous one is told while it is valid', async () => {
    const { account, token } = await anAccount();
    const until = new Date(Date.now() + 3_600_000);
    const sealed = here().deps.secretBox.seal('whsec_b2xk', secretPlaces.webhookSecret(account.id));
    const rotate = (validUntil: Date) =>
      rowsOf(
        'update accounts set previous_webhook_secret_sealed = $2, previous_webhook_secret_valid_until = $3 where id = $1',
        [account.id, sealed, validUntil],
      );
    await rotate(until);
    expect(await secrets(token)).toMatchObject({
      previousSecret: 'whsec_b2xk',
      previousValidUntil: until.toISOString(),
    });
    await rotate(new Date(Date.now() - 1));
    expect(await secrets(token)).not.toHaveProperty('previousSecret');
  });
});
