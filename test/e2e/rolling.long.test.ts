import { expect, test } from 'vitest';
import { rollingRoles, roles } from './rolling-roles.js';
import { batchIs, csv, mostOfLongMs, numbersWithScript, setUp, until } from './running-service.js';

const retry = { retryOn: ['rejected'], retryDelays: [2] };

test('every role is replaced by another build while a batch is called, and back again: nobody is lost, nobody called twice', async () => {
  const { older, newer, replace, account, ledger, dialed, expectNobodyLostOrTwice, stop } = await rollingRoles();
  try {
    for (const role of roles) await replace(role, older);
    const client = account();
    const { phoneNumber } = await setUp(client());
    const versionOf = async () => (await client().request('GET', '/openapi.json')).body.info;
    const first = await versionOf();
    if (process.env.OUTDIAL_OLDER_BUILD === undefined) expect(first).toMatchObject({ version: '0.0.9' });

    const numbers = [
      ...numbersWithScript(0, 100, 1_000),
      ...numbersWithScript(7, 80, 2_000),
      ...numbersWithScript(1, 20, 3_000),
    ];
    const { body } = await client().createBatch(
      { name: 'people.csv', content: csv(numbers) },
      { name: 'Rolling', phoneNumber, retry },
    );
    await until(() => dialed().size >= 10);
    for (const build of [newer, older, newer]) {
      for (const role of roles) {
        await replace(role, build);
        // What runs now dials, too.
        const before = ledger().length;
        await until(() => ledger().length > before || dialed().size === numbers.length);
      }
    }
    expect(await versionOf()).not.toMatchObject({ version: '0.0.9' });
    await batchIs(client(), body.batchId, 'completed', mostOfLongMs);

    expectNobodyLostOrTwice(numbers);
    const { body: stats } = await client().request('GET', `/v1/batch-calls/${String(body.batchId)}/stats`);
    expect(stats).toMatchObject({ total: 200, pending: 0, dialing: 0 });
  } finally {
    await stop();
  }
});

test('workers of two versions run under load, new batches go to the new, back to the old and on again: nobody is lost, nobody called twice', async () => {
  const { older, newer, start, end, replace, account, cli, ledger, dialed, expectNobodyLostOrTwice, stop } =
    await rollingRoles();
  const worker = (build: string, buildId: string) => start('worker', build, { OUTDIAL_WORKER_BUILD_ID: buildId });
  const use = (buildId: string): string => cli('worker-version', 'use', buildId);
  try {
    const old = await worker(older, '0.0.9');
    use('0.0.9');
    for (const role of ['dialer', 'api'] as const) await replace(role, older);
    const client = account();
    const { phoneNumber } = await setUp(client());
    const numbers: string[] = [];
    const batchIds: string[] = [];

    /** A batch that goes on while versions change: its rejected ones are called again by its workflow. */
    async function aBatchBegins(): Promise<void> {
      const at = 1_000 + batchIds.length * 100;
      const own = [...numbersWithScript(0, 30, at), ...numbersWithScript(7, 24, at), ...numbersWithScript(1, 6, at)];
      numbers.push(...own);
      const file = { name: 'people.csv', content: csv(own) };
      const { body } = await client().createBatch(file, { name: `Rolling ${at}`, phoneNumber, retry });
      batchIds.push(String(body.batchId));
      await until(() => own.filter((number) => dialed().has(number)).length >= 5);
    }
    const shown = async () => (await client().request('GET', '/v1/overview')).body.workerVersions;
    const versionsAre = (versions: readonly object[]): Promise<void> =>
      until(async () => {
        const seen = (await shown()) as readonly object[];
        return versions.every((wanted) =>
          seen.some((version) => Object.entries(wanted).every(([name, value]) => Reflect.get(version, name) === value)),
        );
      });

    await aBatchBegins();
    await worker(newer, '1.0.0');
    use('1.0.0');
    for (const role of ['dialer', 'api'] as const) await replace(role, newer);
    await aBatchBegins();
    await versionsAre([
      { buildId: '0.0.9', hasWorker: true },
      { buildId: '1.0.0', state: 'current', hasWorker: true },
    ]);
    // On a slow machine its batch may be over.
    const state: unknown = expect.stringMatching(/^drain(?:ing|ed)$/);
    expect(await shown()).toContainEqual(expect.objectContaining({ buildId: '0.0.9', state }));

    use('0.0.9');
    for (const role of ['dialer', 'api'] as const) await replace(role, older);
    await aBatchBegins();

    use('1.0.0');
    for (const role of ['dialer', 'api'] as const) await replace(role, newer);
    const before = ledger().length;
    // What is left of the first and the third begins again on the new version, from PostgreSQL.
    cli('worker-version', 'retire', '0.0.9');
    await end(old);
    await until(() => ledger().length > before || dialed().size === numbers.length);
    await aBatchBegins();

    for (const batchId of batchIds) await batchIs(client(), batchId, 'completed', mostOfLongMs);
    expectNobodyLostOrTwice(numbers);
    for (const batchId of batchIds) {
      const { body } = await client().request('GET', `/v1/batch-calls/${batchId}/stats`);
      expect(body).toMatchObject({ total: 60, pending: 0, dialing: 0, retrying: 0 });
    }
    expect(await shown()).toContainEqual({ buildId: '1.0.0', state: 'current', hasWorker: true, waitingBatches: 0 });
  } finally {
    await stop();
  }
});
