import type { AttemptRef } from '../../telephony/provider.js';
import { describeCallProvider } from '../integration/call-provider-conformance.js';
import type { Callee, ProviderUnderTest } from '../integration/call-provider-under-test.js';
import { dialByLiveKitInAnotherProcess } from '../integration/livekit/dialing-process.js';
import { type Play, startCarrier } from './carrier.js';
import { canCall, withRealCalls } from './programs.js';
import { sipTestEnv, orderBy, trunkAt } from './test-env.js';

/** A phone rings for as long as the driver may take to see it, on a machine that has other things to do. */
const rings: Play = { rings: 180, afterMs: 1_500 };

const callees: Readonly<Record<Callee, readonly [number: string, play: Play]>> = {
  'answers and talks a little': ['+15550100001', { ...rings, finally: 200, hangsUpAfterMs: 700 }],
  'answers and talks for long': ['+15550100002', { ...rings, finally: 200 }],
  'rings for long': ['+15550100003', { rings: 180 }],
  'is tried for long': ['+15550100004', {}],
  'is busy': ['+15550100005', { finally: 486, phrase: 'Busy Here' }],
  declines: ['+15550100006', { finally: 603, phrase: 'Decline' }],
  'cannot be found': ['+15550100007', { finally: 404, phrase: 'Not Found' }],
  'is unavailable and never rings': ['+15550100008', { finally: 480, phrase: 'Temporarily Unavailable' }],
  'rings out': ['+15550100003', { rings: 180 }],
  'never responds': ['+15550100009', { mute: true }],
};

/** Names the INVITE of a reference on the wire. */
const mark = 'X-Leg';
const nameOf = ({ callId, attempt, invite }: AttemptRef): string => `${callId}/${attempt}/${invite}`;

async function realOne(): Promise<ProviderUnderTest & { stop(): Promise<void> }> {
  const testEnv = await sipTestEnv();
  const carrier = await startCarrier(Object.fromEntries(Object.values(callees)));
  const invitesOf = (ref: AttemptRef) =>
    carrier.invites().filter(({ headers }) => headers[mark.toLowerCase()] === nameOf(ref));
  return {
    ...{ fences: false, checksGateways: false, remembersEnds: false },
    connect: () => testEnv.connect({ pollMs: 100 }),
    order(callee) {
      const changes = callee === 'rings out' ? { ringTimeoutSeconds: 2 } : {};
      const order = orderBy(trunkAt(carrier.address), callees[callee][0], changes);
      return { ...order, headers: { [mark]: nameOf(order) } };
    },
    transferTarget: (does) => (does === 'is busy' ? 'sip:busy@127.0.0.1:9' : '+15550100099'),
    refersOf(ref) {
      const callIds = invitesOf(ref).map(({ callId }) => callId);
      return Promise.resolve(carrier.received('REFER').filter(({ callId }) => callIds.includes(callId)).length);
    },
    invitesOf: (ref) => Promise.resolve(invitesOf(ref).length),
    dialElsewhere: (order, until) => dialByLiveKitInAnotherProcess(testEnv.region, order, until),
    async killProvider() {
      await testEnv.stack.liveKit.kill();
      await testEnv.stack.sip.kill();
    },
    async restartProvider() {
      await testEnv.stack.liveKit.restart();
      await testEnv.stack.sip.restart();
    },
    async stop() {
      await testEnv.close();
      await carrier.close();
    },
  };
}

describeCallProvider(withRealCalls('LiveKit with its SIP'), realOne, { skip: !canCall, timeout: 120_000, crowd: 20 });
