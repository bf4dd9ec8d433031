import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { failsFirst, measure } from './jobs.mjs';

const connectionString = process.env.STORE_URL ?? '';
const jobs = Number(process.argv[2]);
const logger = new Logger(() => () => undefined);
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();

const add = `
  select graphile_worker.add_jobs(array(
    select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'call', 'payload',
      json_build_object('number', number)))
    from generate_series(0, $1::int - 1) as number
  ))`;

await measure(jobs, async (done) => {
  const runner = await run({
    ...{ connectionString, logger, concurrency: 10, noHandleSignals: true },
    taskList: {
      call: async ({ number }, { job }) => {
        if (failsFirst(number) && job.attempts === 1) throw new Error('busy');
        done();
      },
    },
  });
  await utils.withPgClient((client) => client.query(add, [jobs]));
  return {
    close: async () => {
      await runner.stop();
      await utils.release();
    },
  };
});
