import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnswerLost, type CallProvider, type DialOrder, ProviderUnreachable } from '../../telephony/provider.js';
import { type Callee, type ProviderUnderTest, type Dialed, watch } from './call-provider-under-test.js';

/**
 * The promises of `CallProvider` that every driver keeps. `start` is called once, before the first test.
 *
 * @param options `skip`: what the driver needs is missing here; `timeout` of one test in milliseconds; `crowd`: how many
 *   calls are dialed at once
 */
export function describeCallProvider(
  name: string,
  start: () => Promise<ProviderUnderTest & { stop(): Promise<void> }>,
  { skip = false, timeout = 300_000, crowd = 40 }: { skip?: boolean; timeout?: number; crowd?: number } = {},
): void {
  describe.skipIf(skip)(`${name} as a CallProvider`, { timeout }, () => {
    let under: ProviderUnderTest & { stop(): Promise<void> };
    let provider: CallProvider;
    const dial = (order: DialOrder): Dialed => watch((on) => provider.dial(order, on));

    beforeAll(async () => {
      under = await start();
      provider = under.connect();
    });
    afterAll(async () => {
      await provider.close();
      await under.stop();
    });

    describe('a dial', () => {
      test('resolves when the leg is over, after telling that it rang and was answered', async () => {
        const { events, result } = dial(under.order('answers and talks a little'));
        const end = await result;
        expect(events).toEqual(['ringing', 'answered']);
        expect(end).toMatchObject({ how: 'ended', rang: true });
        expect(end.answeredAt?.getTime()).toBeLessThanOrEqual(end.at.getTime());
      });

      test.each([
        ['is busy', { how: 'refused', sipStatusCode: 486 }],
        ['declines', { how: 'refused', sipStatusCode: 603 }],
        ['cannot be found', { how: 'refused', sipStatusCode: 404 }],
        ['is unavailable and never rings', { how: 'refused', sipStatusCode: 480, rang: false }],
        ['rings out', { how: 'ring_timeout', rang: true }],
        ['never responds', { how: 'no_response', rang: false }],
      ] as const)('to a callee who %s resolves with what was seen, and rejects nothing', async (callee, expected) => {
        const order = under.order(callee);
        const { events, result } = dial(order);
        const end = await result;
        expect(end).toMatchObject(expected);
        expect(end.answeredAt).toBeUndefined();
        expect(events.includes('ringing')).toBe(end.rang);
        expect(await under.invitesOf(order)).toBe(1);
      });

      test('of many callees at once tells each listener about its own leg alone', async () => {
        const wanted = Array.from({ length: crowd }, (_, index) =>
          index % 2 === 0 ? 'is busy' : 'answers and talks a little',
        ) satisfies Callee[];
        const legs = wanted.map((callee) => dial(under.order(callee)));
        const ends = await Promise.all(legs.map(({ result }) => result));
        expect(ends.map(({ how }) => how)).toEqual(
          wanted.map((callee) => (callee === 'is busy' ? 'refused' : 'ended')),
        );
        expect(legs.every(({ events }, index) => events.includes('answered') === (index % 2 === 1))).toBe(true);
      });
    });

    test('preparing, also twice, sends no INVITE', async () => {
      const order = under.order('is busy');
      await provider.prepare(order);
      await provider.prepare(order);
      expect(await under.invitesOf(order)).toBe(0);
      expect(await dial(order).result).toMatchObject({ how: 'refused' });
    });

    test('a gateway that answers is reachable, or it is said why that cannot be known', async () => {
      if (!under.checksGateways) {
        const check = await provider.checkGateway(under.order('is busy').gateway);
        expect(check).toMatchObject({ reachable: false, message: expect.stringContaining('OPTIONS') });
        return;
      }
      expect(await provider.checkGateway(under.order('is busy').gateway)).toMatchObject({ reachable: true });
    });

    describe('hanging up', () => {
      test('before it rings cancels the leg', async () => {
        const order = under.order('is tried for long');
        const leg = dial(order);
        await expect.poll(() => under.invitesOf(order)).toBe(1);
        await provider.hangUp(order, 'cancelled');
        expect(await leg.result).toMatchObject({ how: 'cancelled', rang: false, reason: 'cancelled' });
      });

      test('while it rings cancels the leg', async () => {
        const order = under.order('rings for long');
        const leg = dial(order);
        await leg.until('ringing');
        await provider.hangUp(order, 'cancelled');
        expect(await leg.result).toMatchObject({ how: 'cancelled', rang: true });
        expect(leg.events).toEqual(['ringing']);
      });

      test('after the answer ends the call, with the reason given', async () => {
        const order = under.order('answers and talks for long');
        const leg = dial(order);
        await leg.until('answered');
        await provider.hangUp(order, 'ended_by_api');
        expect(await leg.result).toMatchObject({ how: 'ended', rang: true, reason: 'ended_by_api' });
      });

      test('D12: twice at once, and again when it is over, changes nothing', async () => {
        const order = under.order('answers and talks for long');
        const leg = dial(order);
        await leg.until('answered');
        await Promise.all([provider.hangUp(order, 'ended_by_api'), provider.hangUp(order, 'opted_out')]);
        await provider.hangUp(order, 'voicemail');
        expect(await leg.result).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
      });

      test('what was never dialed resolves', async () => {
        await expect(provider.hangUp(under.order('is busy'), 'ended_by_api')).resolves.toBeUndefined();
      });
    });

    describe('a transfer', () => {
      test('to a target that takes the call says so, and the leg ends by itself as transferred', async () => {
        const order = under.order('answers and talks for long');
        const leg = dial(order);
        await leg.until('answered');
        expect(await provider.transfer(order, under.transferTarget('takes the call'))).toMatchObject({
          transferred: true,
        });
        expect(await leg.result).toMatchObject({ how: 'ended', rang: true, reason: 'transferred' });
        expect(await provider.reconcile(order)).toMatchObject({ how: 'ended', reason: 'transferred' });
        expect(await under.refersOf(order)).toBe(1);
      });

      test('to a target that is busy says why, and the call goes on', async () => {
        const order = under.order('answers and talks for long');
        const leg = dial(order);
        await leg.until('answered');
        const target = under.transferTarget('is busy');
        expect(await provider.transfer(order, target)).toMatchObject({ transferred: false, sipStatusCode: 486 });
        expect(await provider.reconcile(order)).toBe('live');
        await provider.hangUp(order, 'ended_by_api');
        expect(await leg.result).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
      });

      test('may be asked for by another process than the one that dialed', async () => {
        const order = under.order('answers and talks for long');
        const leg = dial(order);
        await leg.until('answered');
        const other = under.connect();
        expect(await other.transfer(order, under.transferTarget('takes the call'))).toMatchObject({
          transferred: true,
        });
        await other.close();
        expect(await leg.result).toMatchObject({ how: 'ended', reason: 'transferred' });
      });

      test('of a leg that still rings, is over or never was, is refused and sends no REFER', async () => {
        const target = under.transferTarget('takes the call');
        const ringing = under.order('rings for long');
        const leg = dial(ringing);
        await leg.until('ringing');
        expect(await provider.transfer(ringing, target)).toMatchObject({ transferred: false });
        await provider.hangUp(ringing, 'cancelled');
        await leg.result;
        expect(await provider.transfer(ringing, target)).toMatchObject({ transferred: false });
        expect(await under.refersOf(ringing)).toBe(0);
        expect(await provider.transfer(under.order('is busy'), target)).toMatchObject({ transferred: false });
      });
    });

    describe('when the dialing process is killed', () => {
      test('a ringing leg lives on, and another process follows it to its end', async () => {
        const order = under.order('rings for long');
        const dialer = await under.dialElsewhere(order, 'ringing');
        await dialer.kill();

        expect(await provider.reconcile(order)).toBe('live');
        const leg = watch((on) => provider.follow(order, on));
        await leg.until('ringing');
        await provider.hangUp(order, 'cancelled');
        expect(await leg.result).toMatchObject({ how: 'cancelled', rang: true });
      });

      test('an answered leg lives on, and another process hears how it ended', async () => {
        const order = under.order('answers and talks for long');
        const dialer = await under.dialElsewhere(order, 'answered');
        await dialer.kill();

        expect(await provider.reconcile(order)).toBe('live');
        const leg = watch((on) => provider.follow(order, on));
        await leg.until('answered');
        await provider.hangUp(order, 'ended_by_api');
        expect(await leg.result).toMatchObject({ how: 'ended', reason: 'ended_by_api' });
        expect(await under.invitesOf(order)).toBe(1);
      });
    });

    describe('reconciling', () => {
      test('a leg that is over tells how it ended, each time the same', async () => {
        const order = under.order('answers and talks a little');
        const end = await dial(order).result;
        const expected = under.remembersEnds
          ? end
          : expect.objectContaining({ how: end.how, rang: end.rang, reason: end.reason });
        expect(await provider.reconcile(order)).toEqual(expected);
        expect(await under.connect().reconcile(order)).toEqual(expected);
      });

      test('what was never dialed is fenced: dialed later, no INVITE goes out', async (context) => {
        if (!under.fences) return context.skip('this provider cannot fence a reference');
        const order = under.order('answers and talks a little');
        expect(await provider.reconcile(order)).toBe('fenced');
        expect(await provider.reconcile(order)).toBe('fenced');
        expect(await dial(order).result).toMatchObject({ how: 'not_sent' });
        expect(await under.invitesOf(order)).toBe(0);

        const next = { ...order, invite: order.invite + 1 };
        expect(await dial(next).result).toMatchObject({ how: 'ended' });
        expect(await under.invitesOf(next)).toBe(1);
      });

      test('a dial and a reconcile that cross agree on whether the leg exists', async (context) => {
        if (!under.fences) return context.skip('this provider cannot fence a reference');
        const cross = async (dialFirst: boolean): Promise<string> => {
          const order = under.order('is busy');
          const early = dialFirst ? dial(order) : null;
          const asked = provider.reconcile(order);
          const [found, end] = await Promise.all([asked, (early ?? dial(order)).result]);
          expect(await under.invitesOf(order)).toBe(found === 'fenced' ? 0 : 1);
          expect(end.how).toBe(found === 'fenced' ? 'not_sent' : 'refused');
          return found === 'fenced' ? 'fenced' : 'placed';
        };
        const found = await Promise.all(Array.from({ length: 30 }, (_, index) => cross(index % 2 === 0)));
        expect(new Set(found)).toEqual(new Set(['fenced', 'placed']));
      });
    });

    // Last: the provider comes back empty-handed.
    describe('when the provider dies', () => {
      test('a dial under way is lost, not failed, and a later question is answered', async () => {
        const order = under.order('rings for long');
        const leg = dial(order);
        await leg.until('ringing');
        await under.killProvider();
        await expect(leg.result).rejects.toBeInstanceOf(AnswerLost);

        const unsent = under.order('is busy');
        await expect(provider.dial(unsent, () => undefined)).rejects.toBeInstanceOf(ProviderUnreachable);
        await expect(provider.prepare(unsent)).rejects.toBeInstanceOf(ProviderUnreachable);
        await expect(provider.hangUp(order, 'lost')).rejects.toBeInstanceOf(ProviderUnreachable);
        await expect(provider.transfer(order, 'x')).rejects.toBeInstanceOf(ProviderUnreachable);
        await expect(provider.reconcile(order)).rejects.toBeInstanceOf(ProviderUnreachable);
        await expect(provider.checkGateway(order.gateway)).rejects.toBeInstanceOf(ProviderUnreachable);

        await under.restartProvider();
        expect(await under.invitesOf(unsent)).toBe(0);
        expect(['live', 'fenced']).not.toContain(await provider.reconcile(order));
        expect(await under.invitesOf(order)).toBe(1);
      });
    });
  });
}
