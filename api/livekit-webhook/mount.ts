import type { FastifyInstance } from 'fastify';
import { lookAtCallersSoon } from '../../db/queries/calls/inbound-legs.js';
import { wakeWatchersOfRoom, storeDisconnect } from '../../db/queries/dialer/disconnects.js';
import { readCalleeIdentity } from '../../domain/call/callee-identity.js';
import { uuidOf } from '../../domain/ids.js';
import { disconnectOf } from '../../domain/call/disconnect.js';
import { liveKitSettings } from '../../platform/livekit.js';
import type { AppDeps } from '../operation.js';
import { traceInboundCall } from '../calls-over.js';
import { storeInbound } from './inbound.js';
import { NotFromLiveKit, receiveWebhook } from './receive.js';

/** LiveKit's events are some kilobytes; a room's metadata and a participant's attributes have their own limits. */
const largestBody = 256 * 1024;

/** Where LiveKit sends its webhooks. */
export const liveKitWebhookPath = '/livekit/webhook';

/**
 * The route that LiveKit's own webhooks go to. It is no operation of the API: no account's token opens it, only the
 * signature of a LiveKit that this service uses; clients have nothing to ask of it, so the reference leaves it out. Absent
 * if no LiveKit is set up.
 *
 * What it tells are hints. Each is answered 200 once it is stored, or is about nothing that is ours; LiveKit repeats those
 * answered otherwise for about half a minute.
 */
export async function answerLiveKit(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { env, logger } = deps;
  const regions = liveKitSettings(env);
  if (regions.length === 0) return;
  await app.register(async (route) => {
    route.removeAllContentTypeParsers();
    // The signature is over the bytes, so that they are not parsed before it is verified.
    const raw = { parseAs: 'string', bodyLimit: largestBody } as const;
    route.addContentTypeParser(['application/webhook+json', 'application/json'], raw, (_request, text, done) =>
      done(null, text),
    );
    route.post(liveKitWebhookPath, { logLevel: 'warn', schema: { hide: true } }, async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : '';
      let received: Received;
      try {
        received = await receiveWebhook(body, request.headers.authorization, regions);
      } catch (error) {
        if (!(error instanceof NotFromLiveKit)) throw error;
        logger.warn({ reason: error.message, ip: request.ip }, 'a webhook that is not from LiveKit was refused');
        return reply.code(401).send({ message: 'The webhook is not signed by a LiveKit of this service.' });
      }
      return { stored: await store(received, deps) };
    });
  });
}

type Received = Awaited<ReturnType<typeof receiveWebhook>>;

/** @returns whether it was about a call of ours that lives, or came in */
async function store({ event: told, region }: Received, deps: AppDeps): Promise<boolean> {
  const { db } = deps.database;
  const { event, room, participant, createdAt } = told;
  if (event !== 'participant_left' && event !== 'participant_joined') return false;
  if (room === undefined || participant === undefined) return false;
  const at = createdAt > 0n ? new Date(Number(createdAt) * 1000) : new Date();
  const invite = readCalleeIdentity(participant.identity);
  if (invite === null && (await storeInbound(db, told, at, region, (callId) => traceInboundCall(deps, callId))))
    return true;
  if (event === 'participant_joined') return false;
  let stored = false;
  if (invite !== null && isUuid(invite.callId)) {
    const disconnect = disconnectOf(participant.attributes, participant.disconnectReason, at);
    stored = await storeDisconnect(db, invite, disconnect);
  }
  // The agent may have left, and not the callee or caller: the leg is looked at, and another agent sent.
  if (invite === null) await lookAtCallersSoon(db, region, room.name);
  await wakeWatchersOfRoom(db, room.name);
  return stored;
}

const isUuid = (text: string): boolean => uuidOf('call', `call_${text}`) !== null;
