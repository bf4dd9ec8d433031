import type { Section } from './statement.js';

export const serviceCommon: readonly Section[] = [
  {
    source: 'service',
    heading: 'Authentication',
    statements: [
      [
        'auth.raw',
        'The token is sent raw in Authorization; Bearer is refused',
        'api/core/401: %s is 401',
        'api/core/authentication: a Bearer prefix',
      ],
      ['auth.every-operation', 'Every operation needs the header', 'api/core/401: %s is 401'],
      ['auth.error', 'A missing or wrong token is {error}', 'api/core/401: %s is 401'],
      [
        'auth.scope',
        'A resource of another account is not found',
        'security/cross-account: %s does not tell',
        'security/cross-account: after all those probes',
      ],
      [
        'auth.scope-body',
        'A resource of another account that a body names is told from none no more',
        'security/references: what another account has',
      ],
      [
        'auth.provider-keys',
        'Keys of providers are masked in answers',
        'api/agents/create/201: a provider',
        'property/agent-config: no key of five characters',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'Errors',
    statements: [
      [
        'errors.config',
        'A config that does not validate: {status: error, errors: [{path, code, message}]}',
        'api/agents/create/400: every problem of a config',
      ],
      ['errors.unauthorized', 'Unauthorized: {error}', 'api/core/401: %s is 401'],
      ['errors.agent-404', 'Agent not found: {error}', 'api/agents/get/404: another account'],
      [
        'errors.batch-400',
        'Batch create validation: {message, errors: [path: text]}',
        'api/batch-calls/create/400: problems of many fields',
      ],
      [
        'errors.batch-other',
        'Other failures of batch operations: {error}',
        'api/batch-calls/create/400: no outbound gateway',
        'api/batch-calls/cancel/409: a batch that is %s',
      ],
      [
        'errors.number-404',
        'Number not found on batch create: {message}',
        'api/batch-calls/create/404: a number that the account',
      ],
      ['errors.batch-404', 'Batch call not found: {message}', 'api/batch-calls/get/404: another account'],
      [
        'errors.call',
        'Outbound call without a gateway: {message}',
        'api/calls/create/400: a number without an outbound gateway',
      ],
      [
        'errors.numbers',
        'Number create: {message}',
        'api/phone-numbers/create/409: a number that a concurrent request',
      ],
      [
        'errors.wake-up',
        'An incomplete wakeUp, maxWait below minWait and mode vad without vad are invalid',
        'unit/domain/agent-config-problems: %j = %j',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'Limits and versioning',
    statements: [
      ['limits.file', '5 MB for a batch file', 'api/batch-calls/create/413: a file of 5,242,881 bytes'],
      [
        'limits.texts',
        '256 for a batch’s name, 1000 for its description',
        'unit/domain/batch-form: %s may have %i characters',
      ],
      ['limits.delays', 'At most 5 retry delays', 'unit/domain/batch-form: %s is refused'],
      ['limits.thresholds', 'Thresholds are 0 to 1', 'unit/domain/agent-config-problems: %j = %j'],
      [
        'versions.every-update',
        'Every update stores a version with id and label, and create answers the first',
        'api/agents/update/200: every update is a version',
        'api/agents/list-versions/200: every create and update',
      ],
    ],
  },
];
