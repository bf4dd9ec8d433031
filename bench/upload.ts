import { z } from 'zod';
import { bareCsv } from './numbers.js';
import { canReadProcesses, peakMb, resetPeak } from './processes.js';
import type { Result } from './result.js';
import { noneIs, type RunningService, scheduleAt, upload } from './service.js';

const hourMs = 3_600_000;
const Parsed = z.looseObject({ status: z.literal('scheduled'), recordsUploaded: z.number() });

/** The largest file through the real API: how long until it is parsed, and what that takes of worker and api. */
export async function measureUpload(service: RunningService, rows: number): Promise<readonly Result[]> {
  const [line] = service.lines;
  if (line === undefined) throw new Error('There is no number to call from.');
  const csv = bareCsv(rows);
  const watched = (['worker', 'api'] as const).map((name) => ({ name, pid: service.ready.pids[name] }));
  if (canReadProcesses) for (const { pid } of watched) resetPeak(pid);
  const startedMs = performance.now();
  // Due tomorrow: parsed, and not dialed.
  const schedule = scheduleAt(new Date(Date.now() + 24 * hourMs));
  const batchId = await upload(service, { name: 'Large file', from: line, csv, schedule });
  await noneIs(service, 'parsing');
  const seconds = (performance.now() - startedMs) / 1000;
  const { recordsUploaded } = await service.api.get(`/v1/batch-calls/${batchId}`, Parsed);
  if (recordsUploaded !== rows) throw new Error(`Of ${rows} rows ${recordsUploaded} were taken.`);
  const what = `${(csv.length / 1e6).toFixed(1)} MB, ${rows} rows`;
  return [
    { name: 'large file, upload to parsed', value: seconds, unit: 's', note: what },
    ...(canReadProcesses
      ? watched.map(({ name, pid }) => ({
          name: `large file, memory: ${name}`,
          value: peakMb(pid),
          unit: 'MiB',
          aim: { atMost: 300 },
          note: 'peak resident from the upload on',
        }))
      : []),
  ];
}
