import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createLiveKitClient, type LiveKitClient } from '../../../telephony/livekit/client.js';
import { AnswerLost, ProviderUnreachable } from '../../../telephony/provider.js';
import type { TwirpError } from './courses.js';
import { send } from './twirp.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A LiveKit that answers a REFER so, and breaks the connection of the requests that are named, by their number. */
async function aLiveKit(refused: TwirpError, broken: readonly number[] = []) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url?.split('/').at(-1) ?? '');
    if (broken.includes(asked.length)) request.socket.destroy();
    else if (asked.at(-1) === 'TransferSIPParticipant') send(response, { error: refused });
    else send(response, { body: {} });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client: LiveKitClient = createLiveKitClient({
    ...{ name: 'default', url, apiKey: 'APItest', apiSecret: 'a-secret-of-thirty-two-characters!' },
  });
  return { asked, transfer: () => client.transfer('room', 'callee', '+15550100001') };
}

const busy: TwirpError = {
  ...{ status: 429, code: 'resource_exhausted', msg: 'sip status 486' },
  meta: { sip_status_code: '486', sip_status: 'Busy Here' },
};

describe('a transfer by LiveKit', () => {
  test('that the target refuses is refused, also if the mark on the leg cannot be taken off', async () => {
    const { asked, transfer } = await aLiveKit(busy, [3]);
    expect(await transfer()).toMatchObject({ transferred: false, sipStatusCode: 486 });
    expect(asked).toEqual(['UpdateParticipant', 'TransferSIPParticipant', 'UpdateParticipant']);
  });

  test('whose REFER no answer was seen to may have been taken: the leg stays marked', async () => {
    const msg = 'transaction failed to complete (0 intermediate responses)';
    const { asked, transfer } = await aLiveKit({ status: 408, code: 'canceled', msg });
    await expect(transfer()).rejects.toBeInstanceOf(AnswerLost);
    expect(asked).toEqual(['UpdateParticipant', 'TransferSIPParticipant']);
  });

  test('whose target does not pick up has failed', async () => {
    const { transfer } = await aLiveKit({ status: 408, code: 'canceled', msg: 'refer canceled' });
    expect(await transfer()).toMatchObject({ transferred: false, message: expect.stringContaining('in time') });
  });

  test('that never left, because the leg could not be marked, may be asked for again', async () => {
    const { asked, transfer } = await aLiveKit(busy, [1]);
    await expect(transfer()).rejects.toBeInstanceOf(ProviderUnreachable);
    expect(asked).toEqual(['UpdateParticipant']);
  });

  test('whose connection broke after it was asked for is not asked for again', async () => {
    const { transfer } = await aLiveKit(busy, [2]);
    await expect(transfer()).rejects.toBeInstanceOf(AnswerLost);
  });
});
