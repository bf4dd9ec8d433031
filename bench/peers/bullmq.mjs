import { Queue, Worker } from 'bullmq';
import { failsFirst, measure } from './jobs.mjs';

const url = process.env.STORE_URL ?? '';
const jobs = Number(process.argv[2]);
const connection = { url, maxRetriesPerRequest: null };
const queue = new Queue('calls', { connection });

await measure(jobs, async (done) => {
  const worker = new Worker(
    'calls',
    async ({ data, attemptsMade }) => {
      if (failsFirst(data.number) && attemptsMade === 0) throw new Error('busy');
      done();
    },
    { connection, concurrency: 50 },
  );
  const opts = { attempts: 2, backoff: { type: 'fixed', delay: 1_000 } };
  for (let from = 0; from < jobs; from += 1_000) {
    const length = Math.min(1_000, jobs - from);
    await queue.addBulk(Array.from({ length }, (_, place) => ({ name: 'call', data: { number: from + place }, opts })));
  }
  return {
    close: async () => {
      await worker.close();
      await queue.close();
    },
  };
});
