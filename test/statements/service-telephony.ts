import type { Section } from './statement.js';

const create = 'api/phone-numbers/create';
const rules = 'api/routing-rules';

export const serviceTelephony: readonly Section[] = [
  {
    source: 'service',
    heading: 'POST /v2/sip/phone-numbers',
    statements: [
      ['numbers.create', 'Numbers get an inbound and an outbound gateway in one call', `${create}/201: a number gets`],
      [
        'numbers.reused',
        'Numbers that the account has already are reused',
        `${create}/201: a number on the account without gateways`,
      ],
      [
        'numbers.e164',
        'Numbers are E.164, with the +',
        `${create}/400: every problem is named`,
        'unit/domain/phone-number: accepts a number only',
      ],
      [
        'numbers.shared',
        'isShared makes one pair of gateways for all, otherwise each number has its own',
        `${create}/201: a shared pair serves`,
      ],
      [
        'numbers.shared-fixed',
        'isShared is changed by detaching and creating again',
        'api/phone-numbers/detach/200: a detached number stays',
      ],
      ['numbers.media-encryption', 'mediaEncryption is enable or disable', `${create}/400: every problem is named`],
      [
        'numbers.auth',
        'outbound.auth has username and password; the password is never answered',
        `${create}/201: the trunk`,
      ],
      ['numbers.message', 'The answer has a message', `${create}/201: a number gets`],
      [
        'numbers.concurrent',
        'Numbers that were attached concurrently are a {message} that says to retry',
        `${create}/409: a number that a concurrent request`,
        `${create}/409: of many requests`,
      ],
      ['numbers.errors', 'A failure is {message}', `${create}/400: every problem is named`],
    ],
  },
  {
    source: 'service',
    heading: 'POST /v2/sip/call and Call',
    statements: [
      [
        'call.create',
        'The call connects the rule’s agent to the callee; the answer is {message, data: Call}',
        'api/calls/create/201: a call answers at once',
      ],
      [
        'call.fields',
        'A call has id, type, status, from, to, roomId, gatewayId, ruleId, region, metadata, timelog',
        'api/calls/create/201: a call answers at once',
        'api/calls/get/200: a new call',
      ],
      [
        'call.initiated',
        'A new call is initiated, and that is the first entry of its timelog',
        'api/calls/create/201: a call answers at once',
        'unit/domain/timelog: a call begins initiated',
      ],
      [
        'call.rule',
        'Without routingRuleId the first outbound rule on the number is used',
        'api/calls/create/201: without a rule the oldest',
      ],
      [
        'call.participant',
        'The participant object says how the callee appears in the room',
        'api/calls/create/400: every problem is named',
        'integration/livekit/request: identity, room, times',
      ],
      [
        'call.metadata',
        'metadata is stored on the call and passed to the agent',
        'api/calls/create/201: a call answers at once',
        'integration/livekit/request: identity, room, times',
      ],
      [
        'call.no-gateway',
        'A number without an outbound gateway is {message}',
        'api/calls/create/400: a number without an outbound gateway',
      ],
      [
        'call.gateway-not-found',
        'An outbound gateway that is not found is {message}',
        'api/calls/create/404: a gateway that does not exist',
      ],
      [
        'call.needs-rule',
        'The number needs an outbound rule with an agent',
        'api/calls/create/400: a number without an outbound rule',
        `${rules}/create/400: an outbound rule without an agent`,
      ],
      [
        'call.rule-decides',
        'The rule decides room, recording, DTMF and SIP headers',
        'api/calls/create/201: the rule names the room',
        'integration/livekit/request: the gateway',
        'unit/dialer/order: where the rule speaks too',
        'unit/dialer/order: keys and a recording are asked for',
        'telephony/wire: headers of the gateway and of the call',
        'telephony/recording: has what each side said',
        'telephony/dtmf: keys of the callee',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'GET /v2/sip/routing-rule',
    statements: [
      ['rules.newest-first', 'Rules of the account, newest first', `${rules}/list/200: rules come newest first`],
      [
        'rules.fields',
        'A rule has every field of the list item',
        `${rules}/get/200: a rule is answered bare`,
        `${rules}/create/201: every field of an outbound rule`,
      ],
      [
        'rules.search',
        'search matches name or number, whatever the case',
        `${rules}/list/200: ?%s`,
        `${rules}/list/200: search finds rules`,
      ],
      ['rules.type', 'type is inbound or outbound; anything else is ignored', `${rules}/list/200: ?%s`],
      ['rules.ids', 'ruleIds are comma-separated or repeated', `${rules}/list/200: rules can be asked for by id`],
      ['rules.room-type', 'roomType is static, dynamic or both', `${rules}/list/200: ?%s`],
      [
        'rules.page-info',
        'pageInfo has currentPage, perPage, lastPage and total, whole numbers',
        `${rules}/list/200: pages hold`,
        'api/core/paging: left out, page is 1',
      ],
      [
        'rules.outbound-agent',
        'An outbound rule has an agentId',
        `${rules}/create/400: an outbound rule without an agent`,
      ],
    ],
  },
];
