import { describe, expect, test } from 'vitest';
import { cronProblem } from '../../../domain/campaign/cron.js';
import { batchIdOfRun, batchNameOfRun } from '../../../domain/campaign/run.js';
import { readTemplate } from '../../../domain/campaign/template.js';
import { jsonFields } from '../../../domain/batch/form-fields.js';
import { uuidOf } from '../../../domain/ids.js';

describe('a cron expression', () => {
  test.each(['0 9 * * *', '*/5 8-17 * * 1-5', '30 6 1,15 jan-mar mon', '0 0 * * 7'])('“%s” is taken', (cron) => {
    expect(cronProblem(cron)).toBeNull();
  });
  test.each([
    ['', 'five fields'],
    ['0 9 * *', 'it has 4'],
    ['0 0 9 * * *', 'it has 6'],
    ['@daily', 'five fields'],
    ['61 9 * * *', 'cron expression'],
    ['0 25 * * *', 'cron expression'],
    ['0 9 L * *', 'digits'],
    ['0 22-2 * * *', 'cron expression'],
    ['0 9 ? * 1#2', 'digits'],
    ['0 9 31 2 *', 'never comes'],
    ['0 9 * * fri-sun', '0 9 * * 5-7'],
    ['0 9 * * 1,6-SUN', '0 9 * * 5-7'],
  ])('“%s” is refused: %s', (cron, words) => {
    expect(cronProblem(cron)).toContain(words);
  });
});

describe('the batch call of a run', () => {
  const key = { campaignId: 'camp_1', dueAt: new Date('2026-03-02T14:00:00Z') };
  test('has one id, which is another one for another run or campaign, and stands in order of time', () => {
    const id = batchIdOfRun(key);
    expect(batchIdOfRun({ ...key })).toBe(id);
    expect(uuidOf('batch', id)).not.toBeNull();
    const later = batchIdOfRun({ ...key, dueAt: new Date('2026-03-02T14:00:01Z') });
    expect([batchIdOfRun({ ...key, campaignId: 'camp_2' }) === id, later > id]).toEqual([false, true]);
  });
  test('is named for the campaign and the clock of its zone, unless the template says a name', () => {
    expect(batchNameOfRun('Missed', key.dueAt, 'America/New_York')).toBe('Missed 2026-03-02 09:00');
  });
});

describe('a template', () => {
  const context = { now: new Date('2026-03-02T14:00:00Z'), endpointProblem: () => null };
  test('is read by the definition of a batch call’s settings: there is no other list', () => {
    for (const field of Object.keys(jsonFields).filter((name) => name !== 'schedule')) {
      const read = readTemplate({ phoneNumber: '+14155550100', [field]: null }, 'Name', context);
      const problems = 'problems' in read ? read.problems : [];
      expect(problems.filter(({ code }) => code === 'UNRECOGNIZED_KEY')).toEqual([]);
    }
  });
  test.each(['schedule', 'recipients', 'colour'])('refuses %s, which no template decides', (field) => {
    const read = readTemplate({ phoneNumber: '+14155550100', [field]: {} }, 'Name', context);
    expect(read).toMatchObject({ problems: [{ path: field, code: 'UNRECOGNIZED_KEY' }] });
  });
});
