import type { Section } from './statement.js';

const calls = 'api/calls';
const hooks = 'api/sip-webhooks';
const summary = 'workflow/summarize-call';

export const apiCalls: readonly Section[] = [
  {
    source: 'api',
    heading: 'Calls: list, end, transfer, recording',
    statements: [
      [
        'calls.list',
        'The list has its filters',
        `${calls}/list/200: each filter`,
        `${calls}/list/200: calls come newest first`,
        `${calls}/list/200: calls of a batch`,
      ],
      [
        'calls.end',
        'end hangs up: abandoned before the answer, else ended',
        `${calls}/end/200: a call that is %s is abandoned`,
        `${calls}/end/200: a call that is %s is ordered`,
      ],
      ['calls.end.409', 'end is 409 when it is over', `${calls}/end/409: a call that is over`],
      [
        'calls.transfer',
        'transfer orders a cold transfer of an answered call',
        `${calls}/transfer/200: an answered call`,
        `${calls}/transfer/200: GET tells`,
        'telephony/transfer: that is asked for while the dialer is dead',
      ],
      [
        'calls.transfer.409',
        'Only an answered call is transferred',
        `${calls}/transfer/409: a call that is %s`,
        `${calls}/transfer/409: of two transfers`,
      ],
      [
        'calls.recording',
        'The recording of a call is its audio file; there is one only where one was made',
        `${calls}/recording/200: the recording of a call`,
        `${calls}/recording/206: a player that asks`,
        `${calls}/recording/404: a call that is over`,
        `${calls}/recording/409: a call that goes on`,
        'telephony/recording: has what each side said',
        `${calls}/get/200: where the recording is`,
        'integration/recordings: with a person goes',
        'integration/recordings: with a deleted batch',
      ],
    ],
  },
  {
    source: 'api',
    heading: 'SIP webhooks',
    statements: [
      [
        'sip-webhooks.crud',
        'They are made, listed, got, changed and deleted, as bare objects',
        `${hooks}/create/201: a webhook is made`,
        `${hooks}/list/200: an account`,
        `${hooks}/get/200: a webhook is answered`,
        `${hooks}/update/200: what is sent`,
        `${hooks}/delete/200: a webhook is gone`,
      ],
      [
        'sip-webhooks.events',
        'call-started, call-ringing, call-answered, call-hangup, call-missed come once each',
        'workflow/sip-webhooks: every event arrives once',
      ],
      [
        'sip-webhooks.signed',
        'Signed and retried like every webhook',
        'workflow/sip-webhooks: every event arrives once',
        'workflow/sip-webhooks: what was not taken',
      ],
      ['sip-webhooks.url', 'The URL obeys the rules of outgoing requests', `${hooks}/create/400: %j is refused`],
    ],
  },
  {
    source: 'api',
    heading: 'Call summary',
    statements: [
      ['summary.made', 'After an answered call a summary is made and stored', `${summary}: the summary is stored`],
      [
        'summary.webhook',
        'Its webhook gets it with what the call was',
        `${summary}: the summary is stored`,
        `${summary}: a summary is made and told once`,
      ],
      [
        'summary.retried',
        'A model that is away is asked again',
        `${summary}: a model that is busy`,
        `${summary}: a model that does not answer`,
      ],
      [
        'summary.data',
        'What was said is data to the model',
        `${summary}: what was said goes`,
        'unit/domain/summary-prompt: what was said cannot leave',
      ],
    ],
  },
];
