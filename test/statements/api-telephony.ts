import type { Section } from './statement.js';

const numbers = 'api/phone-numbers';
const inbound = 'api/inbound-gateways';
const outbound = 'api/outbound-gateways';

export const apiTelephony: readonly Section[] = [
  {
    source: 'api',
    heading: 'Numbers',
    statements: [
      [
        'numbers.required',
        'name, phoneNumbers (1 to 100, each once) and outbound.address are required',
        `${numbers}/create/400: every problem is named`,
        `${numbers}/create/201: null and an absent field`,
      ],
      [
        'numbers.defaults',
        'isShared true, mediaEncryption disable, sipRegion auto, transport tls',
        `${numbers}/create/201: a number gets`,
      ],
      [
        'numbers.all-or-nothing',
        'All are registered or none',
        `${numbers}/create/400: a number that already has gateways`,
      ],
      [
        'numbers.taken',
        'A number with gateways is 400 that names it',
        `${numbers}/create/400: a number that already has gateways`,
      ],
      [
        'numbers.race',
        'Two requests racing: one wins, the other is 409',
        `${numbers}/create/409: of many requests`,
        `${numbers}/create/409: two accounts`,
      ],
      [
        'numbers.address',
        'An address is host or host:port, without a scheme, not private',
        `${numbers}/create/400: %s is no address`,
        'unit/domain/sip-address: %s is a trunk',
      ],
      [
        'numbers.list',
        'The list has search, and items with both gateways or null',
        `${numbers}/list/200: numbers come newest first`,
        `${numbers}/list/200: a number without gateways`,
        `${numbers}/list/200: search %s`,
      ],
      [
        'numbers.get',
        'A number is found by id and by E.164, as the bare item',
        `${numbers}/get/200: a number is found`,
      ],
      ['numbers.detach', 'detach takes the gateways off a number', `${numbers}/detach/200: a detached number`],
      [
        'numbers.detach.409',
        'detach is 409 while an unfinished batch calls from it',
        `${numbers}/detach/409: a number that a batch`,
        `${numbers}/detach/409: detach against create`,
      ],
      ['numbers.release', 'release takes the number off the account', `${numbers}/release/200: a released number`],
      [
        'numbers.release.409',
        'release is 409 while a batch or a rule needs it',
        `${numbers}/release/409: a number is not released while an unfinished`,
        `${numbers}/release/409: a number is not released while an %s`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Gateways',
    statements: [
      ['gateway.patch', 'PATCH changes every setting of a gateway', `${numbers}/update-gateway/200: every field`],
      [
        'gateway.limits',
        'Concurrency, pace, ring time and length have their ranges',
        `${numbers}/update-gateway/200: %s may be anything`,
        `${numbers}/update-gateway/400: %s cannot be`,
      ],
      [
        'gateway.no-passwords',
        'Passwords are never answered',
        `${numbers}/create/201: the trunk`,
        `${outbound}/create/201: every field comes back`,
      ],
      [
        'gateway.check',
        'check asks the gateway and says what it found',
        `${numbers}/check-gateway/200: the finding`,
        `${numbers}/check-gateway/200: a carrier that cannot be asked`,
      ],
      [
        'gateway.inbound',
        'Inbound gateways by themselves: create, list, get, change, delete',
        `${inbound}/create/201: a name is enough`,
        'api/gateways/get/200: a gateway is answered bare',
        `${inbound}/update/200: what is sent`,
        `${inbound}/delete/200: a deleted gateway`,
      ],
      [
        'gateway.outbound',
        'Outbound gateways by themselves: create, list, get, change, delete',
        `${outbound}/create/201: a name and an address`,
        'api/gateways/get/200: a gateway is answered bare',
        `${outbound}/update/200: what is sent`,
        `${outbound}/delete/200: a deleted gateway`,
      ],
      [
        'gateway.numbers',
        'Their numbers are registered when new',
        `${inbound}/create/201: new numbers`,
        `${outbound}/create/201: a number of its own`,
      ],
      [
        'gateway.geo-region',
        'geoRegion is another name of sipRegion',
        `${inbound}/create/201: both names`,
        `${inbound}/create/400: the two names`,
      ],
      [
        'gateway.paced',
        'Concurrency and pace hold over all dialers',
        'integration/dialer/admission: four dialers together',
      ],
    ],
  },
];
