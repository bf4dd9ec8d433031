/**
 * The arrows of docs/architecture.md: a folder may import itself and what is listed here, nothing else.
 * A new arrow is a decision: write it up in docs/adr/ and add it here.
 */
const arrows = {
  domain: [],
  platform: [],
  contacts: ['domain', 'platform'],
  knowledge: ['domain', 'platform'],
  db: ['domain'],
  telephony: ['domain'],
  dialer: ['domain', 'db', 'telephony', 'platform'],
  workflows: ['domain'],
  activities: ['domain', 'db', 'contacts', 'knowledge', 'platform'],
  worker: ['workflows', 'activities', 'domain', 'db', 'platform'],
  api: ['domain', 'db', 'platform', 'contacts'],
  embedded: ['platform', 'domain'],
  clients: [], // they know the HTTP API alone
  console: [], // it knows the HTTP API, and of what is behind it the files below alone
  agent: ['domain', 'db', 'platform', 'telephony'],
};

const typeOnlyArrows = {
  workflows: ['activities'], // activities are known to workflows by their types alone: their code never enters the bundle
};

/** Single files that a folder may import beside. */
const fileArrows = {
  agent: ['^contacts/number-time-zones\\.ts$'], // callees name times by their own clock: docs/adr/0026
  // greetings of a dry run are filled in as those of calls are, and cron is judged as the API does: docs/adr/0025
  console: ['^domain/agent/template\\.ts$', '^domain/campaign/cron\\.ts$', '^domain/account/audited-resources\\.ts$'],
};

const folder = (name) => `^${name}/`;
const forbidden = Object.entries(arrows).map(([from, to]) => ({
  name: `${from}-imports-only-${to.length > 0 ? to.join('-') : 'itself'}`,
  severity: 'error',
  from: { path: folder(from), pathNot: ['^agent/test/', '^clients/[^/]+/test/'] },
  to: {
    path: '^(activities|agent|api|bench|cli|clients|console|contacts|db|dialer|domain|embedded|knowledge|platform|telephony|test|worker|workflows)/',
    pathNot: [...[from, ...to].map(folder), ...(fileArrows[from] ?? [])],
    ...(typeOnlyArrows[from] ? { dependencyTypesNot: ['type-only'] } : {}),
  },
}));

module.exports = {
  forbidden: [
    ...forbidden,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^domain/' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg'],
        pathNot: 'node_modules/(zod|libphonenumber-js|temporal-polyfill|temporal-spec)/',
      },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: ['^(agent/)?test/', '^clients/[^/]+/test/', '^vitest\\.config\\.ts$'] },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^(dist|node_modules|coverage|\\.outdial|agent/dist|agent/node_modules|clients/typescript/dist)/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
