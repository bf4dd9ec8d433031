/** What each group of operations is about, in the order of the reference. */
export const tags: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'Agents',
    description:
      'Voice agents, their versions and deployments, and what a config can name: models and languages. Each create ' +
      'and update stores a version; deploying one puts it live.',
  },
  {
    name: 'Playground',
    description: 'Requests of the page that tries an agent in a browser, with a token that soon expires.',
  },
  { name: 'Tools', description: 'HTTP requests that an agent can make during a call.' },
  { name: 'Knowledge bases', description: 'Texts that an agent answers from, read and indexed after they are sent.' },
  { name: 'Knowledge base folders', description: 'Where knowledge bases are kept, at most three levels deep.' },
  { name: 'Phone numbers', description: 'Numbers on your own SIP trunk, with the gateways that carry their calls.' },
  { name: 'Inbound gateways', description: 'How calls to your numbers come in, and from where.' },
  {
    name: 'Outbound gateways',
    description: 'How calls go out: address and credentials of your trunk, how many at once and how fast.',
  },
  { name: 'Routing rules', description: 'Which agent takes a number’s calls, and how calls are set up.' },
  { name: 'Calls', description: 'Single outbound calls, and the list of all calls.' },
  { name: 'SIP webhooks', description: 'Addresses that receive the events of every call as they happen.' },
  {
    name: 'Batch calls',
    description:
      'A spreadsheet of numbers that an agent calls, at once or on a schedule, with retries, and a webhook at start ' +
      'and end.',
  },
  { name: 'Campaigns', description: 'Batch calls that are made again and again, from the recipients posted since.' },
  { name: 'Do-not-call list', description: 'Numbers that are never dialed.' },
  { name: 'Contacts', description: 'Everything that is kept about one number, and its erasure.' },
  {
    name: 'Account',
    description:
      'The account itself: keys, guardrails of all dialing, usage, the secret of its webhooks, its audit log.',
  },
];
