import type { Section } from './statement.js';

const account = 'api/account';
const dialer = 'integration/dialer/guardrails';

export const apiAccount: readonly Section[] = [
  {
    source: 'api',
    heading: 'Account',
    statements: [
      [
        'account.get',
        'GET has accountId, name, limits and usage',
        `${account}/get/200: a token tells`,
        `${account}/get/200: what is called`,
      ],
      [
        'account.secret',
        'The webhook secret is told, and the previous one while it is valid',
        `${account}/webhook-secret/200: the secret is one`,
        `${account}/webhook-secret/200: after a rotation`,
      ],
      [
        'account.rotate',
        'rotate keeps the old secret valid for 24 hours',
        `${account}/rotate-webhook-secret/200: there is a new secret`,
      ],
      [
        'account.keys',
        'Keys are made, listed with their last use, and deleted',
        `${account}/create-key/201: secret and token`,
        `${account}/list-keys/200: keys are there`,
        `${account}/list-keys/200: when a key`,
        `${account}/delete-key/200: every token`,
      ],
      [
        'account.last-key',
        'The last active key cannot delete itself',
        `${account}/delete-key/409: the last active key`,
      ],
      [
        'account.audit',
        'The audit log says who did what to what, when and from where',
        `${account}/audit-log/200: who did what`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Guardrails',
    statements: [
      [
        'guardrails.get-put',
        'GET and PUT of the guardrails',
        `${account}/put-guardrails/200: what is put`,
        `${account}/put-guardrails/200: an account that has set nothing`,
      ],
      [
        'guardrails.at-claim',
        'They are checked at the claim, for batches and single calls',
        `${dialer}: numbers of other countries`,
        `${dialer}: single calls`,
      ],
      [
        'guardrails.hours',
        'Calling hours in the callee’s zone',
        `${dialer}: outside of the calling hours`,
        `${account}/put-guardrails/400: hours that`,
      ],
      [
        'guardrails.attempts',
        'Attempts per number and day over all batches',
        `${dialer}: a number is not dialed more often`,
        `${dialer}: attempts whose batch`,
      ],
      [
        'guardrails.countries',
        'Allowed countries, by default those of the account’s numbers',
        'unit/domain/guardrails: by default, whoever',
        `${dialer}: numbers of other countries`,
      ],
      [
        'guardrails.premium',
        'Premium-rate and satellite numbers are refused',
        'unit/domain/guardrails: %s is refused as',
        'unit/domain/guardrails: premium-rate',
      ],
      ['guardrails.disclosure', 'The disclosure comes before the greeting', `${dialer}: the disclosure`],
      [
        'guardrails.stop',
        'stop-dialing stops everything at once, audited',
        `${account}/stop-dialing/200: a running batch`,
        `${account}/stop-dialing/200: no single call`,
        `${account}/stop-dialing/200: it is in the audit log`,
      ],
      ['guardrails.resume', 'resume-dialing goes on at once', `${account}/resume-dialing/200: dialing goes on`],
    ],
  },
  {
    source: 'api',
    heading: 'Do-not-call list',
    statements: [
      [
        'dnc.add',
        'Numbers are added as JSON or as a file',
        'api/do-not-call/add/201: numbers are added',
        'api/do-not-call/add/201: a file',
      ],
      [
        'dnc.list',
        'The list is searched and paged',
        'api/do-not-call/list/200: a part of the number',
        'api/do-not-call/list/200: newest first',
      ],
      ['dnc.remove', 'One number is taken off', 'api/do-not-call/remove/200: the number may be called'],
      [
        'dnc.waiting',
        'Adding a number stops a retry that waits already',
        'api/do-not-call/add/201: a retry that waits',
      ],
      ['dnc.parse', 'It is checked when a file is read', 'unit/contacts/rows: a number on the do-not-call list'],
      [
        'dnc.dial',
        'And again before each dial',
        'integration/dialer/dialing: a number that came onto',
        `${dialer}: a number that came onto`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Contacts',
    statements: [
      [
        'contacts.get',
        'GET has every call, attempt, transcript, batch and list entry of a number',
        'api/contacts/get/200: tells every call',
      ],
      [
        'contacts.erase',
        'DELETE erases the person everywhere; entry and counts stay',
        'api/contacts/erase/200: nothing of the person',
        'api/contacts/erase/200: calls that wait',
      ],
      ['contacts.audited', 'It is audited', 'api/contacts/erase/200: the audit log holds'],
    ],
  },
];
