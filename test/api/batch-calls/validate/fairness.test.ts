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

  test('P0-1, P2-7: while hostile files of one account are read, no request of another waits for a second of computing', async () => {
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

    // Processor time of this process, which serves the requests: however busy the machine is, it is only what is done here.
    const computing: number[] = [];
    const statuses = new Set<number>();
    while (state.reading) {
      const before = process.cpuUsage();
      const { status } = await fetch(`${address}/v1/batch-calls`, { headers: { authorization: bob.token } });
      const { user, system } = process.cpuUsage(before);
      computing.push((user + system) / 1_000);
      statuses.add(status);
    }
    for (const [status, report] of await uploads) {
      expect([status, report]).toEqual([
        200,
        expect.objectContaining({ valid: false, parseError: expect.any(String) }),
      ]);
    }
    expect([...statuses]).toEqual([200]);
    expect(computing.length).toBeGreaterThan(10);
    expect(Math.max(...computing)).toBeLessThan(1_000);
  }, 180_000);
});
