import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CallEvent } from '../../../telephony/provider.js';
import type { CourseName } from './courses.js';
import { liveKitTestEnv, type LiveKitTestEnv, orderOf } from './harness.js';
import { soon } from '../../setup/soon.js';

describe('a leg that ended when LiveKit crashed, and that its list goes on naming', () => {
  let testEnv: LiveKitTestEnv;
  beforeAll(async () => {
    testEnv = await liveKitTestEnv();
  });
  afterAll(() => testEnv.close());

  async function dialed(course: CourseName, until: CallEvent['type']) {
    const provider = testEnv.connect();
    const order = orderOf(course);
    const events: CallEvent['type'][] = [];
    const result = provider.dial(order, ({ type }) => events.push(type));
    result.catch(() => undefined); // it is left to others
    await vi.waitFor(() => expect(events).toContain(until), soon);
    return { provider, order, result };
  }

  test('is over for the process that talks through it', async () => {
    const { order, result } = await dialed('answers and talks for long', 'answered');
    testEnv.fake.rooms.haunts(order.identity);
    expect(await result).toMatchObject({ how: 'ended', rang: true });
  });

  test('is over for a process that takes it over', async () => {
    const { order } = await dialed('rings for long', 'ringing');
    testEnv.fake.rooms.haunts(order.identity);
    testEnv.records.store(order, { ringingAt: new Date() });
    expect(await testEnv.connect().reconcile(order)).toMatchObject({ how: 'refused', reason: 'sip_code_lost' });
  });

  test('of which nothing is stored is absent, and hanging it up resolves', async () => {
    const { order } = await dialed('rings for long', 'ringing');
    testEnv.fake.rooms.haunts(order.identity);
    const other = testEnv.connect();
    expect(await other.reconcile(order)).toBe('absent');
    await expect(other.hangUp(order, 'lost')).resolves.toBeUndefined();
  });

  test('is live again if it is served again in time', async () => {
    const { order } = await dialed('rings for long', 'ringing');
    testEnv.fake.rooms.haunts(order.identity);
    const asked = testEnv.connect({ goneForMs: 100_000 }).reconcile(order);
    await vi.waitFor(
      () =>
        expect(
          testEnv.fake.received.some(
            ({ method, body }) => method.endsWith('/UpdateParticipant') && body.identity === order.identity,
          ),
        ).toBe(true),
      soon,
    );
    testEnv.fake.rooms.haunts(order.identity, false);
    expect(await asked).toBe('live');
  });
});
