import { z } from 'zod';
import { listCalls } from '../../db/queries/calls/list.js';
import { hasWord } from '../../db/queries/calls/transcript-words.js';
import { callStatuses } from '../../domain/call/call.js';
import { epochMilliseconds, searchText, secondsRange, someOf, yesOrNo } from '../batch-calls/filters.js';
import { operation } from '../operation.js';
import { cursorQuery, walk, wholeNumberText } from '../cursor.js';
import { pageOf } from '../pagination.js';
import { callUuid } from './find.js';
import { listedCallBody } from './bodies.js';
import { ListedCall } from './schema.js';

const types = ['outbound', 'inbound'] as const;

/** One value; empty counts as omitted. */
const exactly = (meaning: string) =>
  z
    .string()
    .max(300)
    .optional()
    .transform((value) => (value === undefined || value.trim() === '' ? undefined : value.trim()))
    .describe(meaning);

/** UUID of the call that a room's name ends in. */
const uuidInRoom = (roomId: string): string | undefined =>
  /call_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_\d+_\d+$/.exec(roomId)?.[1];

/** Words to look for; empty counts as omitted. */
const words = z
  .string()
  .trim()
  .max(256)
  .refine((text) => text === '' || hasWord(text), 'has no word to look for')
  .transform((text) => (text === '' ? undefined : text))
  .optional()
  .describe(
    'Words that were said in calls that are over: all of them, in any order and casing; `"in one piece"`, `or` between ' +
      'alternatives, `-` before what was not said. A call is found some seconds after its end',
  );

const Place = z.tuple([wholeNumberText, z.uuid()]).readonly();

/** GET /v2/sip/call */
export const listCallsOfAccount = operation({
  name: 'calls.list',
  method: 'GET',
  url: '/v2/sip/call',
  family: 'sip',
  tag: 'Calls',
  schema: {
    summary: 'List calls, newest first',
    description: 'Calls of batches are included. Filters that are sent together must all hold.',
    query: z.object({
      ...cursorQuery,
      id: exactly('Ids of calls, comma-separated'),
      roomId: exactly('Room of the latest attempt'),
      batchId: exactly('Only calls of this batch'),
      gatewayId: exactly('Only calls through this gateway'),
      ruleId: exactly('Only calls by this routing rule'),
      agentId: exactly('Only calls of this agent'),
      type: someOf(types, 'Direction'),
      status: someOf(callStatuses, 'Only those in these statuses'),
      hasRecording: yesOrNo('true: only those with a recording; false: only those without'),
      duration: secondsRange('Seconds that it talked'),
      transcript: words,
      search: searchText('Part of the number called or of the number called from'),
      startDate: epochMilliseconds('Only those created at this time or later, in milliseconds since 1970'),
      endDate: epochMilliseconds('Only those created at this time or earlier, in milliseconds since 1970'),
    }),
    response: {
      200: pageOf(ListedCall).extend({
        searchedFrom: z
          .int()
          .optional()
          .describe(
            'Only if more than 2,000 calls have the words of `transcript`: older calls than this, in milliseconds since 1970, were not ' +
              'looked at. Pages by `cursor` go on there, also after a page with nothing on it; or send it as `endDate`',
          ),
      }),
    },
  },

  async handler({ query, caller }, { database }) {
    const { id, roomId, batchId, gatewayId, ruleId, agentId, type, status, search, startDate, endDate } = query;
    const { hasRecording: isRecorded, duration: talk, transcript } = query;
    const ids = id?.split(',').flatMap((each) => callUuid(each.trim()) ?? []);
    const filter = {
      ...{ ids, roomId, batchId, gatewayId, ruleId, agentId, search, isRecorded, talk, words: transcript },
      roomCallId: roomId === undefined ? undefined : uuidInRoom(roomId),
      type: type.length === 1 ? type[0] : undefined,
      statuses: status,
      createdFrom: startDate,
      createdUntil: endDate,
    };
    const { accountId } = caller;
    const { rows, body } = walk(query, { accountId, list: 'calls', filter }, Place);
    const { total, calls, next, searchedFrom } = await listCalls(database.db, accountId, filter, rows);
    const page = body(total, next, calls.map(listedCallBody));
    return {
      status: 200,
      body: { ...page, ...(searchedFrom === null ? {} : { searchedFrom: searchedFrom.getTime() }) },
    };
  },
});
