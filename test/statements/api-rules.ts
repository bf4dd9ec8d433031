import type { Section } from './statement.js';

const rules = 'api/routing-rules';
const calls = 'api/calls';

export const apiRules: readonly Section[] = [
  {
    source: 'api',
    heading: 'Routing rules',
    statements: [
      ['rule.create', 'Create answers the bare rule with every default', `${rules}/create/201: an outbound rule needs`],
      [
        'rule.get-patch',
        'GET and PATCH answer it bare',
        `${rules}/get/200: a rule is answered bare`,
        `${rules}/update/200: every field`,
      ],
      ['rule.delete', 'DELETE takes it away', `${rules}/delete/200: a deleted rule`],
      ['rule.delete.409', 'A rule in use stays', `${rules}/delete/409: a rule that a batch`],
      ['rule.type-fixed', 'type cannot be changed', `${rules}/update/400: type, id`],
      [
        'rule.numbers-names',
        'numbers is another name of phoneNumbers; a rule has both',
        `${rules}/create/201: a number may have several`,
        `${rules}/create/400: the two names`,
      ],
      [
        'rule.agent-required',
        'agentId is required for an outbound rule',
        `${rules}/create/400: an outbound rule without`,
      ],
      [
        'rule.static-room',
        'A static room has an id, and serves no batch',
        `${rules}/create/400: a static room`,
        'api/batch-calls/create/400: a static room',
      ],
      [
        'rule.api-key',
        'apiKey is the public id of the key that made the rule',
        `${rules}/create/201: an outbound rule needs`,
        `${rules}/create/400: numbers, agents and keys`,
      ],
      [
        'rule.headers',
        'headers are for outbound rules and named X-; headersToAttributes for inbound ones',
        `${rules}/create/400: what belongs to the other direction`,
        `${rules}/create/400: every problem`,
      ],
      [
        'rule.allowed-numbers',
        'allowedNumbers are numbers or prefixes that end in *',
        'unit/domain/allowed-number: %s can be an entry',
        'unit/domain/allowed-number: an empty list',
        'integration/dialer/dialing: a callee whom the rule',
        'telephony/inbound: get nowhere where the list',
      ],
      [
        'rule.allowed-addresses',
        'allowedIpAddresses are CIDR, inbound only',
        'unit/platform/ip-address: ranges are in CIDR',
        'telephony/inbound: get nowhere, whatever they claim',
        `${rules}/create/201: an inbound rule`,
      ],
      [
        'rule.one-inbound',
        'A number has at most one inbound rule',
        `${rules}/create/409: a number has at most one`,
        `${rules}/create/409: of inbound rules`,
      ],
      [
        'rule.recording',
        'A rule that records is 400 where recordings cannot be made',
        `${calls}/recordings-asked: %s that asks the simulator`,
        `${calls}/recordings-asked: %s may ask`,
      ],
      [
        'rule.room-prefix',
        'prefix names the room: blank, participantNumber, sipNumber, random',
        'unit/domain/room: a dynamic room',
        'unit/domain/room: a random prefix',
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Calls',
    statements: [
      ['calls.required', 'sipCallTo and sipCallFrom are required', `${calls}/create/400: %s lacks both numbers`],
      [
        'calls.accepted',
        'What the rule or the gateway decides is accepted',
        `${calls}/create/400: every problem is named`,
      ],
      [
        'calls.gateway',
        'gatewayId names the number’s gateway',
        `${calls}/create/400: a gateway of another number`,
        `${calls}/create/404: a gateway that does not exist`,
      ],
      ['calls.region', 'region is the gateway’s', `${calls}/create/201: a call answers at once`],
      ['calls.inactive-agent', 'A rule whose agent is not active is 400', `${calls}/create/400: a rule whose agent`],
      [
        'calls.do-not-call',
        'A number on the do-not-call list is 403',
        `${calls}/create/403: a number on the do-not-call list`,
      ],
      [
        'calls.guardrails',
        'A number outside of the guardrails is 403',
        `${calls}/create/403-guardrails: %s is not called`,
      ],
      ['calls.placed-later', 'The call is placed by a workflow', `${calls}/create/201: the call, its workflow`],
      ['calls.get', 'GET adds duration, attempts and outcome', `${calls}/get/200: a call that was retried`],
      ['calls.simulated', 'simulated says that no telephone was reached', `${calls}/create/201: with the simulator`],
      [
        'calls.timelog',
        'Each state is in the timelog, in order',
        'unit/domain/timelog: ringing, answer and end',
        'e2e/batch: a single call is dialed',
      ],
      [
        'calls.ends',
        'The unsuccessful ends are missed, not-answered, rejected, failed, abandoned',
        'unit/domain/timelog: an unsuccessful end',
        'unit/domain/disposition: every row of the table',
      ],
      ['calls.transfer-log', 'A transfer is told in the timelog', 'unit/domain/timelog: a transfer is told'],
      [
        'calls.60s',
        'A single call that was not dialed within a minute ends failed',
        'workflow/calls: a single call is carried',
      ],
    ],
  },
];
