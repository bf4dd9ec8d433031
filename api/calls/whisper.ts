import { z } from 'zod';
import { longestWhisper } from '../../domain/agent/whisper.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { liveCallParams } from './listen.js';
import { requireLiveRoom, tellAgent } from './live-room.js';

/** POST /v1/calls/{callId}/whisper */
export const whisperToAgent = operation({
  name: 'calls.whisper',
  method: 'POST',
  url: '/v1/calls/:callId/whisper',
  family: 'account',
  tag: 'Calls',
  listening: true,
  schema: {
    summary: 'Tell the agent of a live call something',
    description:
      'An instruction to the agent alone, as text: the callee does not hear it. The agent goes by it from its next words on, or ' +
      'at once with `now`. It holds until the call is over, and is lost with an agent whose process dies. Takes the permission ' +
      '`listen`; the audit log says that it was sent, not what. 409 if the call is not live, or simulated, or no agent is in it.',
    params: liveCallParams,
    body: z
      .strictObject({
        text: z
          .string()
          .trim()
          .min(1, 'must not be empty')
          .max(longestWhisper, `must have at most ${longestWhisper} characters`)
          .describe('What the agent is told'),
        now: z
          .boolean()
          .default(false)
          .describe('true: the agent speaks at once, also in the middle of the other’s words'),
      })
      .meta({ id: 'Whisper', examples: [{ text: 'Offer the appointment on Friday at ten.', now: true }] }),
    response: { 200: doneWith('The agent was told.') },
    errors: [404, 409, 503],
  },

  async handler({ params: { callId }, body, caller }, { database: { db }, env }) {
    const live = await requireLiveRoom(db, env, caller.accountId, callId);
    await recordAudit(db, caller, 'call.whisper', callId, { characters: body.text.length, now: body.now });
    await tellAgent(live, body);
    return { status: 200, body: { message: 'The agent was told.' } };
  },
});
