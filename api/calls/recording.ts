import { Readable } from 'node:stream';
import { z } from 'zod';
import { findCall } from '../../db/queries/calls/calls.js';
import { conflict, notFound } from '../../domain/errors.js';
import { operation } from '../operation.js';
import { callUuid, requireCall } from './find.js';
import { rangeAsked } from './recording-range.js';
import { noRecording, soundOf } from './recording-sound.js';
import { callIdParams } from './schema.js';

/** Sent as a stream; readers get bytes. */
const Audio = z
  .unknown()
  .meta({ type: 'string', contentMediaType: 'audio/ogg', examples: ['OggS…'] })
  .describe('Ogg with Opus, two channels: the callee on the left, the agent on the right');

/** GET /v2/sip/call/{callId}/recording */
export const getRecording = operation({
  name: 'calls.getRecording',
  method: 'GET',
  url: '/v2/sip/call/:callId/recording',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'Get the recording of a call',
    description:
      'The sound of a call from the answer to its end, if its rule (`recording`), its gateway (`record`) or the ' +
      'call itself (`recordAudio`) asked for it: `audio/ogg` with Opus, the callee on the left channel and the ' +
      'agent on the right, 0.1 to 0.2 MB a minute. 409 while the call goes on; 404 if nothing was recorded, or it ' +
      'has been deleted.\n\n' +
      '`Range` may ask for one range of bytes, as players do to jump: 206. Any other range gets the whole.',
    params: callIdParams,
    response: { 200: Audio, 206: Audio },
    errors: [409],
  },

  async handler({ params, caller: { accountId }, raw }, deps) {
    const { db } = deps.database;
    const callId = callUuid(params.callId);
    const { call } = requireCall(callId === null ? null : await findCall(db, accountId, callId));
    if (!call.settled) throw conflict('The call is not over: its recording is available when it is');
    const sound = await soundOf(deps, accountId, call.id);
    if (sound === null) throw notFound(noRecording);
    const { size } = sound;
    const range = rangeAsked(raw.headers.range, size);
    const { first, last } = range ?? { first: 0, last: size - 1 };
    const bytes = await sound.read({ first, last });
    return {
      status: range === null ? 200 : 206,
      body: Readable.from(bytes, { objectMode: false }),
      headers: {
        'content-type': 'audio/ogg; codecs=opus',
        'content-length': String(last - first + 1),
        'content-disposition': `inline; filename="${params.callId}.ogg"`,
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        ...(range === null ? {} : { 'content-range': `bytes ${first}-${last}/${size}` }),
      },
    };
  },
});
