import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchIs, csv, numbersWithScript, runService, setUp, until, type RunningService } from './running-service.js';

let service: RunningService;
let phoneNumber: string;

beforeAll(async () => {
  // Slow enough that people are talking when the cancel comes.
  service = await runService({ speed: 5 });
  ({ phoneNumber } = await setUp(service));
});
afterAll(async () => {
  await service.stop();
  service.removeData();
});

/** Three people talk or more, the others wait; then the cancel. @returns what was seen */
async function cancelWhileTheyTalk(mode: string, start: number) {
  const numbers = numbersWithScript(0, 30, start);
  const invites = () => service.ledger().filter((line) => line.event === 'invite' && numbers.includes(String(line.to)));
  const { body } = await service.createBatch(
    { name: 'people.csv', content: csv(numbers) },
    { name: mode, phoneNumber, maxConcurrentCalls: '6' },
  );
  const path = `/v1/batch-calls/${String(body.batchId)}`;
  const stats = async () => (await service.request('GET', `${path}/stats`)).body;
  await until(async () => Number((await stats())['in-progress']) >= 3);

  const answer = await service.request('POST', `${path}/cancel`, { mode });
  // What has passed the gate by now may still be on its way to the carrier's log.
  const { pending, cancelled } = await stats();
  const passedByThen = numbers.length - Number(pending) - Number(cancelled);
  await batchIs(service, body.batchId, 'cancelled');
  const finished = await service.request('POST', `${path}/cancel`, { mode });
  const records = (await service.request('GET', `${path}/records?perPage=100`)).body.data as {
    status: string;
    reason?: string;
  }[];
  return { answer, finished, passedByThen, dialed: invites().length, records };
}

// shows: batches.cancel
test.each([
  ['graceful', 10_000],
  ['immediate', 20_000],
])(
  'after the answer to a %s cancel no call is dialed, live calls finish or are hung up, the others are cancelled',
  async (mode, start) => {
    const { answer, finished, passedByThen, dialed, records } = await cancelWhileTheyTalk(mode, start);
    expect(answer).toMatchObject({ status: 202, body: { status: 'cancelling' } });
    expect(finished.status).toBe(409);
    expect(dialed).toBeLessThanOrEqual(passedByThen);
    const answered = records.filter((record) => record.status === 'answered');
    expect(answered.length).toBeGreaterThanOrEqual(3);
    expect(answered.some((record) => record.reason === 'ended_by_api')).toBe(mode === 'immediate');
    expect(records.filter((record) => record.status === 'cancelled')).toHaveLength(30 - dialed);
  },
);
