import type { CallEvent, DialOrder } from '../../../telephony/provider.js';
import { dialByProgram } from '../simulator/dialing-process.js';
import type { LiveKitRegion } from '../../../telephony/livekit/regions.js';

const program = `
  const [driver, region, order] = process.argv.slice(1);
  const { createLiveKitProvider } = await import(driver);
  const nothing = { ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null };
  const provider = createLiveKitProvider({
    regions: [JSON.parse(region)],
    records: { of: async () => nothing, onRoomEvent: () => () => undefined },
    agents: { reserve: async () => undefined },
    timing: { pollMs: 40 },
  });
  await provider.dial(JSON.parse(order), ({ type }) => console.log(type));
  console.log('over');
`;

/** Dials from a process of its own; resolves once that was told of the event. `kill` is kill -9. */
export const dialByLiveKitInAnotherProcess = (
  { url, apiKey, apiSecret }: Omit<LiveKitRegion, 'name'>,
  order: DialOrder,
  until: CallEvent['type'],
): Promise<{ kill(): Promise<void> }> => {
  const region = JSON.stringify({ name: 'default', url, apiKey, apiSecret });
  return dialByProgram(program, 'telephony/livekit/driver.js', [region, JSON.stringify(order)], until);
};
