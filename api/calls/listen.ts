import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { insertListener } from '../../db/queries/calls/listeners.js';
import { hiddenPlace } from '../../platform/livekit-room.js';
import { issuedSecondsOf, revocationHash } from '../../platform/token.js';
import { recordAudit } from '../audit.js';
import { instant } from '../fields.js';
import { operation } from '../operation.js';
import { requireLiveRoom } from './live-room.js';

/** Within which a listener has to come; once there, they stay until they leave, the call is over or the token no longer counts. */
const placeSeconds = 60;

export const liveCallParams = z.object({ callId: z.string().describe('Id of the call, `call_…`') });

const Place = z
  .strictObject({
    url: z.string().describe('Address of the LiveKit to connect to, for a WebSocket'),
    room: z.string().describe('The room in LiveKit'),
    token: z
      .string()
      .describe('For `connect` of a LiveKit client: hears everybody, is seen by nobody, can say and send nothing'),
    expiresAt: instant().describe(
      'Until when it lets in; who is in stays until they leave, the call ends or the token is revoked',
    ),
  })
  .meta({
    id: 'ListeningPlace',
    examples: [
      {
        url: 'wss://livekit.example.com',
        room: 'acc_01990c50-1c9b-7d35-8a64-0f3b5c7d9e21.call_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52_1_1',
        token: 'eyJhbGciOiJIUzI1NiJ9.eyJ2aWRlbyI6e319.c2lnbmF0dXJl',
        expiresAt: '2026-03-02T09:31:00.000Z',
      },
    ],
  });

/** POST /v1/calls/{callId}/listen */
export const listenToCall = operation({
  name: 'calls.listen',
  method: 'POST',
  url: '/v1/calls/:callId/listen',
  family: 'account',
  tag: 'Calls',
  listening: true,
  answersSecret: true,
  schema: {
    summary: 'Listen to a live call',
    description:
      'A hidden, silent place in the room of a call that rings or is answered, with LiveKit: its holder hears callee and ' +
      'agent, and neither sees or hears them. Calls that share a static room are heard together. Takes the permission ' +
      '`listen`; each place is in the audit log. 409 if the call is not live, or simulated.',
    params: liveCallParams,
    response: { 200: Place },
    errors: [404, 409],
  },

  async handler({ params: { callId }, caller }, { database: { db }, env, clock }) {
    const live = await requireLiveRoom(db, env, caller.accountId, callId);
    const now = clock();
    const latest = caller.expiresAt?.getTime() ?? Infinity;
    const ttlSeconds = Math.max(1, Math.min(placeSeconds, Math.floor((latest - now.getTime()) / 1000)));
    const place = { id: uuidv7(), room: live.room };
    const token = await hiddenPlace(live.liveKit, place, ttlSeconds);
    await insertListener(db, {
      ...place,
      region: live.liveKit.name,
      accountId: caller.accountId,
      keyId: caller.keyId,
      tokenHash: revocationHash(caller.token),
      tokenIssuedSeconds: issuedSecondsOf(caller.token),
    });
    await recordAudit(db, caller, 'call.listen', callId);
    const expiresAt = new Date(now.getTime() + ttlSeconds * 1000).toISOString();
    return { status: 200, body: { url: live.urlForBrowsers, room: live.room, token, expiresAt } };
  },
});
