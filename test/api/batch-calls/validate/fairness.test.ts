import { describe, expect, test } from 'vitest';
import { hostileFiles } from '../../../security/files/hostile.js';
import { anAccount, anotherApp, here } from '../../support.js';
import { aRoute, fields, multipart } from '../support.js';

describe('fairness', () => {
  const harmful = [
    'one shared string of 60 MB',
    'three million cells that hold',
    'a million rows of one letter',
    'carriage',
  ];

  test('P0-1, P2-7: while hostile files of one account are read, a request of another never waits a second', async () => {
    const { phoneNumber } = await aRoute();
    const bob = await anAccount();
    const address = await (await anotherApp({})).listen({ host: '127.0.0.1', port: 0 });
    const files = hostileFiles.filter(({ name }) => harmful.some((start) => name.startsWith(start)));
    expect(files).toHaveLength(harmful.length);

    const state = { reading: true };
    const uploads = Promise.all(
      files.map(async ({ extension, make }) => {
        const file = { name: 'file', value: make(), filename: `people.${extension}` };
        const { body, contentType } = multipart([file, ...fields({ name: 'Harm', phoneNumber })]);
        const answer = await fetch(`${address}/v1/batch-calls/validate`, {
          method: 'POST',
          headers: { authorization: here().me.token, 'content-type': contentType },
          body: new Uint8Array(body),
        });
        return [answer.status, await answer.json()];
      }),
    ).finally(() => (state.reading = false));

    const waits: number[] = [];
    const statuses = new Set<number>();
    while (state.reading) {
      const from = performance.now();
      const { status } = await fetch(`${address}/v1/batch-calls`, { headers: { authorization: bob.token } });
      waits.push(performance.now() - from);
      statuses.add(status);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const [status, report] of await uploads) {
      expect([status, report]).toEqual([
        200,
        expect.objectContaining({ valid: false, parseError: expect.any(String) }),
      ]);
    }
    expect([...statuses]).toEqual([200]);
    expect(waits.length).toBeGreaterThan(10);
    expect(Math.max(...waits)).toBeLessThan(1_000);
  }, 180_000);
});
