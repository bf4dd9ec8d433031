import { expect, test } from 'vitest';
import { anotherApp, api, here, type RequestOptions } from '../support.js';
import { aCallingNumber, aGateway, aNumber, aRule, rowsOf } from '../support-resources.js';

const withSimulator = async (): Promise<RequestOptions> => ({
  app: await anotherApp({ env: { ...here().deps.env, OUTDIAL_PROVIDER: 'simulator' } }),
});

/** Every way to ask for a recording. */
const ways: readonly [string, string, (options: RequestOptions) => ReturnType<typeof api.post>][] = [
  [
    'a rule that is made',
    'recording',
    (options) =>
      api.post('/v2/sip/routing-rule', { name: 'R', type: 'inbound', phoneNumbers: [], recording: true }, options),
  ],
  [
    'a rule that is changed',
    'recording',
    async (options) => api.patch(`/v2/sip/routing-rule/${await aRule()}`, { recording: true }, options),
  ],
  [
    'a gateway that is made',
    'record',
    (options) =>
      api.post('/v2/sip/outbound-gateways', { name: 'G', address: 'sip.example.com', record: true }, options),
  ],
  [
    'a gateway that is changed',
    'record',
    async (options) => {
      const { id } = await aGateway('inbound');
      return api.patch(`/v2/sip/inbound-gateways/${id}`, { record: true }, options);
    },
  ],
  [
    'a call',
    'recordAudio',
    async (options) => {
      const { e164 } = await aCallingNumber();
      return api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164, recordAudio: true }, options);
    },
  ],
];

// shows: rule.recording
test.each(ways)('%s may ask for a recording where calls have sound', async (_, __, ask) => {
  const response = await ask({});
  expect([200, 201]).toContain(response.status);
});

// shows: rule.recording
test.each(ways)(
  '%s that asks the simulator for a recording is refused, not left without one',
  async (_, field, ask) => {
    const response = await ask(await withSimulator());
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      errors: [`${field}: cannot be honoured: calls of the simulator have no sound to record`],
    });
  },
);

test('what a call asks for stays with it, for its agent to see', async () => {
  const { e164 } = await aCallingNumber();
  const body = { sipCallTo: aNumber(), sipCallFrom: e164, recordAudio: true };
  const { data } = (await api.post('/v2/sip/call', body)).body as { data: { id: string } };
  const options = await rowsOf('select options from calls where id = $1', [data.id.replace('call_', '')]);
  expect(options).toEqual([{ options: { recordAudio: true } }]);
});
