import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Api } from '../../../cli/demo/api-client.js';
import { prepareSetting } from '../../../cli/demo/setting.js';

const Batch = z.looseObject({ batchId: z.string(), status: z.string() });
const Records = z.looseObject({ data: z.array(z.looseObject({ callId: z.string(), phoneNumber: z.string() })) });

const names = [
  'Ada Abbott',
  'Ben Haddad',
  'Chloe Okafor',
  'Dev Bauer',
  'Elif Kaya',
  'Farid Nazari',
  'Grace Lim',
  'Hugo Roy',
];

/** Distinct numbers of people who exist nowhere, with what they are called about. */
export const fileOf = (rows: number, from: number): string =>
  [
    'phone_number,name,appointment',
    ...Array.from({ length: rows }, (_, row) => {
      const number = `+1415555${String(from + row).padStart(4, '0')}`;
      return `${number},${names[row % names.length] ?? ''},${9 + (row % 8)}:${row % 2 === 0 ? '00' : '30'}`;
    }),
  ].join('\n');

interface Campaigns {
  /** Ids: a batch whose calls are being made, one that is over, and an answered call of it. */
  readonly running: string;
  readonly finished: string;
  readonly callId: string;
  /** The number that this call was made to. */
  readonly phoneNumber: string;
}

/** Makes batch calls of several kinds over the public API, and waits until one is over while another runs. */
export async function campaigns(api: Api): Promise<Campaigns> {
  const setting = await prepareSetting(api);
  const make = async (name: string, file: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const form = new FormData();
    form.append('file', new Blob([file]), 'recipients.csv');
    for (const [field, value] of Object.entries({ name, ...setting, ...fields })) {
      form.append(field, typeof value === 'string' ? value : JSON.stringify(value));
    }
    return (await api.post('/v1/batch-calls', form, Batch)).batchId;
  };
  const becomes = async (batchId: string, status: string): Promise<void> => {
    while ((await api.get(`/v1/batch-calls/${batchId}`, Batch)).status !== status) await delay(500);
  };
  const retry = { retryOn: ['not-answered', 'rejected', 'missed'], retryDelays: [2, 4] };
  const finished = await make('Appointments of Monday', fileOf(120, 0), { retry });
  await becomes(finished, 'completed');
  const running = await make('Appointments of Tuesday', fileOf(2_500, 1_000), {
    retry: { ...retry, retryDelays: [600] },
  });
  await make('Survey, as long as it is day', fileOf(400, 5_000), {
    callingWindow: { from: '09:00', until: '09:01', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'Asia/Tokyo' },
  });
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  await make('Renewals', fileOf(300, 6_000), {
    schedule: { date: inAWeek, time: '09:00', timezone: 'Europe/London' },
  });
  await becomes(running, 'running');
  await delay(20_000);
  const { data } = await api.get(`/v1/batch-calls/${finished}/records?status=answered&perPage=1`, Records);
  const [{ callId, phoneNumber } = { callId: '', phoneNumber: '' }] = data;
  const entries = { phoneNumbers: ['+14155559001', '+442071838750'], reason: 'Asked for it in a letter' };
  await api.post('/v1/do-not-call', entries, z.looseObject({ added: z.number() }));
  return { running, finished, callId, phoneNumber };
}
