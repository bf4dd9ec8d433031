import { expect, test } from 'vitest';
import type { DialPipeline } from '../../../dialer/dial-pipeline.js';
import { nextTenure, type Tenure } from '../../../dialer/tenure.js';

/** A tenure that writes down what is done with it. */
function tenureOf(processId: string, renews: boolean, done: string[]): Tenure {
  const pipeline: DialPipeline = {
    waiting: 0,
    accept: () => undefined,
    releaseForgotten: () => Promise.resolve(),
    close: () => Promise.resolve(),
    drop: () => done.push(`drop ${processId}`),
  };
  const lease = {
    processId,
    holds: () => renews,
    renew: () => Promise.resolve(renews),
    end: () => Promise.resolve(),
  };
  return { lease, pipeline };
}

test('a lease that is renewed changes nothing', async () => {
  const done: string[] = [];
  const present = tenureOf('first', true, done);
  const begin = () => Promise.reject(new Error('no other lease is needed'));
  expect(await nextTenure(present, begin, () => Promise.resolve())).toBe(present);
  expect(done).toEqual([]);
});

test('C1: a lease that has run out drops what is undialed before another one is taken, and only then brings the legs over', async () => {
  const done: string[] = [];
  const begin = () => {
    done.push('begin');
    return Promise.resolve(tenureOf('second', true, done));
  };
  const next = await nextTenure(tenureOf('first', false, done), begin, (id) => {
    done.push(`adopt ${id}`);
    return Promise.resolve();
  });
  expect(done).toEqual(['drop first', 'begin', 'adopt second']);
  expect(next.lease.processId).toBe('second');
});

test('C1: what is undialed stays dropped if no other lease can be taken', async () => {
  const done: string[] = [];
  const begin = () => Promise.reject(new Error('the database is away'));
  await expect(nextTenure(tenureOf('first', false, done), begin, () => Promise.resolve())).rejects.toThrow('away');
  expect(done).toEqual(['drop first']);
});
