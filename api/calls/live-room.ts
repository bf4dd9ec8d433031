import { type LiveCall, findLiveCall } from '../../db/queries/calls/live-call.js';
import type { Db } from '../../db/client.js';
import { callAttribute } from '../../domain/agent/job.js';
import { formatWhisper, type Whisper, whisperTopic } from '../../domain/agent/whisper.js';
import { conflict, unavailable } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import type { Env } from '../../platform/env.js';
import { type LiveKitSetting, liveKitsForBrowsers, liveKitSettings } from '../../platform/livekit.js';
import { sendToAgents } from '../../platform/livekit-room.js';
import { callUuid, requireCall } from './find.js';

/** A call with a leg that is up, and the LiveKit whose room it is in. */
export interface LiveRoom extends LiveCall {
  readonly room: string;
  readonly liveKit: LiveKitSetting;
  /** Its address for browsers. */
  readonly urlForBrowsers: string;
}

/**
 * The room of a call that is live.
 *
 * @throws Failure `not_found`; `conflict` if it is not live, or is simulated
 */
export async function requireLiveRoom(db: Db, env: Env, accountId: string, callId: string): Promise<LiveRoom> {
  const uuid = callUuid(callId);
  const call = requireCall(uuid === null ? null : await findLiveCall(db, accountId, uuid));
  if (call.room === null) throw conflict('The call is not live: it does not ring, is not answered, or is over');
  const settings = env.OUTDIAL_PROVIDER === 'livekit' ? liveKitSettings(env) : [];
  if (call.simulated || settings.length === 0) throw conflict('A simulated call has no sound');
  const [first] = settings;
  const liveKit =
    call.region === null || call.region === 'auto' ? first : settings.find(({ name }) => name === call.region);
  if (liveKit === undefined)
    throw conflict(`This process does not know the region ${call.region ?? 'auto'} of the call`);
  const forBrowsers = liveKitsForBrowsers(env).find(({ name }) => name === liveKit.name) ?? liveKit;
  return {
    ...call,
    room: call.room,
    liveKit,
    urlForBrowsers: forBrowsers.url,
  };
}

/**
 * Tells the agent of a call something, and nobody else.
 *
 * @throws Failure `conflict` if no agent serves the call at this moment; `unavailable` if LiveKit cannot be asked
 */
export async function tellAgent({ liveKit, room, callId, type }: LiveRoom, whisper: Whisper): Promise<void> {
  // Calls may share a static room. The agent of a caller is known by its rule, and has its room alone.
  const isItsAgent = ({ attributes }: { readonly attributes: Readonly<Record<string, string>> }) =>
    type === 'inbound' || [undefined, formatId('call', callId)].includes(attributes[callAttribute]);
  const told = await sendToAgents(
    liveKit,
    room,
    { topic: whisperTopic, text: formatWhisper(whisper) },
    isItsAgent,
  ).catch(() => {
    throw unavailable('LiveKit cannot be asked at the moment. Try again.');
  });
  if (told === 0) throw conflict('No agent is in the call at this moment');
}
