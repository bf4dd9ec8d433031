import type { Section } from './statement.js';

const core = 'api/core';

export const apiAuthentication: readonly Section[] = [
  {
    source: 'api',
    heading: 'Reference and health',
    statements: [
      [
        'openapi.served',
        'OpenAPI 3.1 at /openapi.json, made of the schemas that validate',
        'api/openapi/200: every operation is described',
        'fuzz/schemathesis: the reference is valid',
        'api/openapi/complete: every operation is in the document',
      ],
      [
        'openapi.complete',
        'Every operation, parameter and field is described',
        'api/openapi/complete: every operation has an id',
        'api/openapi/complete: every parameter says',
        'api/openapi/complete: every field of every body',
      ],
      [
        'openapi.examples',
        'Every body shows an example that is valid',
        'api/openapi/complete: every request body',
        'api/openapi/complete: every example is valid',
      ],
      ['openapi.webhooks', 'Webhooks are in it', 'api/openapi/complete: every webhook says'],
      ['openapi.committed', 'The committed reference is the served one', 'api/openapi/200: docs/openapi.json'],
      ['openapi.docs-page', 'A page at /docs that loads nothing from elsewhere', 'api/openapi/200: the reference page'],
      ['openapi.held', 'Answers match their schemas', 'fuzz/schemathesis.long: whatever is asked'],
      [
        'health.ready',
        '/readyz asks Postgres, Temporal and migrations; /healthz the process',
        `${core}/errors: readiness asks`,
        `${core}/errors: with Postgres away`,
      ],
      ['health.metrics', '/metrics has a port of its own', 'unit/platform/metrics: metrics are served'],
      [
        'health.no-token',
        'None of them needs the header',
        `${core}/errors: readiness asks`,
        `${core}/429: an account that asks`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Authentication',
    statements: [
      [
        'token.hs256',
        'A token is an HS256 JWT signed with the key’s secret',
        'security/tokens: a token that any JWT library',
      ],
      ['token.alg-pinned', 'Another algorithm does not count', 'security/tokens: %s does not count'],
      ['token.expired', 'An expired token is 401', `${core}/401: %s is 401`, `${core}/authentication: a token lives`],
      [
        'token.deactivated',
        'A deactivated key is 401 at once',
        `${core}/401: %s is 401`,
        `${core}/authentication: a deactivated key`,
      ],
      ['token.says-nothing', 'What is wrong is not told', 'security/tokens: what is wrong with a token'],
      [
        'token.read',
        'read is GET only',
        `${core}/403: %s is 403 with {error} to a read token`,
        `${core}/403: %s answers a read token`,
      ],
      ['token.playground', 'playground is for that page only', `${core}/403: %s is 403 to a token of the playground`],
      [
        'token.unknown-permission',
        'Unknown permissions allow nothing',
        `${core}/403: %s is 403 to a token whose permissions`,
      ],
      [
        'token.cli',
        'The command line makes accounts, keys and tokens',
        'integration/cli/operator: an account comes',
        'integration/cli/operator: a token can be limited',
      ],
      ['token.secrets-rotate', 'secrets rotate re-encrypts everything', 'integration/cli/operator: `secrets rotate`'],
      [
        'token.sealed',
        'Secrets are encrypted at rest',
        'unit/platform/secret-box: what was sealed',
        'api/account/webhook-secret/200: each account',
        'api/tools/create/201: header values',
        'api/phone-numbers/create/201: the trunk',
      ],
      ['token.rate-limit', 'A rate limit per account, with RateLimit headers', `${core}/429: an account that asks`],
    ],
  },
];
