import PgBoss from 'pg-boss';
import { failsFirst, measure } from './jobs.mjs';

const connectionString = process.env.STORE_URL ?? '';
const jobs = Number(process.argv[2]);
const boss = new PgBoss({ connectionString });
boss.on('error', (error) => {
  throw error;
});
await boss.start();
await boss.createQueue('calls');

await measure(jobs, async (done) => {
  const options = { batchSize: 100, pollingIntervalSeconds: 0.5, includeMetadata: true };
  await boss.work('calls', options, async (batch) => {
    const busy = batch.filter(({ data, retryCount }) => failsFirst(data.number) && retryCount === 0);
    // What is not failed by its id ends with the batch.
    if (busy.length > 0)
      await boss.fail(
        'calls',
        busy.map(({ id }) => id),
      );
    for (let ended = busy.length; ended < batch.length; ended += 1) done();
  });
  for (let from = 0; from < jobs; from += 1_000) {
    const length = Math.min(1_000, jobs - from);
    await boss.insert(
      Array.from({ length }, (_, place) => ({
        name: 'calls',
        data: { number: from + place },
        retryLimit: 1,
        retryDelay: 1,
      })),
    );
  }
  return { close: () => boss.stop({ graceful: false }) };
});
