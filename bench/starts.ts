import { z } from 'zod';
import { csvOf } from './numbers.js';
import { percentile, type Result } from './result.js';
import { noneIs, type RunningService, scheduleAt, upload } from './service.js';

const minuteMs = 60_000;
/** Generous for making one of the batches, so that all are made and parsed before they are due. */
const msPerBatch = 100;
const leastLeadMs = 15_000;
/** At once, so that making them is quick and the database not crowded out. */
const uploadsAtOnce = 8;

const Started = z.looseObject({ status: z.literal('completed'), startedAt: z.iso.datetime() });

/** How late batches start that are all due in one second. */
export async function measureStarts(
  service: RunningService,
  count: number,
  say: (line: string) => void,
): Promise<readonly Result[]> {
  const lead = leastLeadMs + count * msPerBatch;
  const dueMs = Math.ceil((Date.now() + lead) / minuteMs) * minuteMs;
  const schedule = scheduleAt(new Date(dueMs));
  say(`${count} batches are due at ${new Date(dueMs).toISOString()}.`);

  const batchIds: string[] = [];
  const makeSome = async (first: number): Promise<void> => {
    for (let place = first; place < count; place += uploadsAtOnce) {
      const from = service.lines[place % service.lines.length] ?? '';
      // Numbers that nothing else here calls, and that answer at once.
      const number = 90_003 + (place % 7) + Math.floor(place / 7) * 10;
      const csv = csvOf(number, number + 1);
      batchIds.push(await upload(service, { name: `Due together ${place}`, from, csv, schedule }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, uploadsAtOnce) }, (_, first) => makeSome(first)));
  await noneIs(service, 'parsing');
  if (Date.now() >= dueMs) throw new Error('The batches were not ready before they were due; try fewer.');
  await noneIs(service, 'scheduled', 'running');

  const lateMs: number[] = [];
  for (const batchId of batchIds) {
    const { startedAt } = await service.api.get(`/v1/batch-calls/${batchId}`, Started);
    lateMs.push(Date.parse(startedAt) - dueMs);
  }
  const note = `${count} batches due in one second; startedAt − scheduled instant`;
  return [
    { name: 'scheduled start late, p50', value: percentile(lateMs, 0.5), unit: 'ms', note },
    { name: 'scheduled start late, p99', value: percentile(lateMs, 0.99), unit: 'ms', note },
  ];
}
