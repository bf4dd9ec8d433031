import { createRoute, createRouter } from '@tanstack/react-router';
import { batchSearch } from '../batch/search.js';
import { batchesSearch } from '../batches/search.js';
import { callsSearch } from '../calls/search.js';
import { campaignSearch } from '../campaign/search.js';
import { doNotCallSearch } from '../do-not-call/search.js';
import { peopleSearch } from '../people/search.js';
import { recordsSearch } from '../records/search.js';
import { Failed } from './failed.js';
import { listSearch } from './list-search.js';
import { rootRoute } from './root-route.js';
import { accountRoutes } from './account-routes.js';
import { agentsRoutes } from './agents-routes.js';
import { parseSearch, stringifySearch } from './search.js';
import { telephonyRoutes } from './telephony-routes.js';
import { lazyPage } from '../ui/lazy.js';

/**
 * The pages of the console. Each is loaded when it is first opened. A new page is a route here or in the file of its section, a folder
 * for its files, and a line in navigation.ts if the navigation leads to it.
 */
const overview = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyPage(async () => (await import('../overview/page.js')).OverviewPage),
});

const batches = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches',
  validateSearch: batchesSearch,
  component: lazyPage(async () => (await import('../batches/page.js')).BatchesPage),
});

const newBatch = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new',
  component: lazyPage(async () => (await import('../new-batch/page.js')).NewBatchPage),
});

const batch = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches/$batchId',
  validateSearch: batchSearch,
  component: lazyPage(async () => (await import('../batch/page.js')).BatchPage),
});

const campaigns = createRoute({
  getParentRoute: () => rootRoute,
  path: '/campaigns',
  validateSearch: listSearch,
  component: lazyPage(async () => (await import('../campaigns/page.js')).CampaignsPage),
});

const newCampaign = createRoute({
  getParentRoute: () => rootRoute,
  path: '/campaigns/new',
  component: lazyPage(async () => (await import('../campaign/new.js')).NewCampaignPage),
});

const campaign = createRoute({
  getParentRoute: () => rootRoute,
  path: '/campaigns/$campaignId',
  validateSearch: campaignSearch,
  component: lazyPage(async () => (await import('../campaign/page.js')).CampaignPage),
});

const records = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches/$batchId/records',
  validateSearch: recordsSearch,
  component: lazyPage(async () => (await import('../records/page.js')).RecordsPage),
});

const calls = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls',
  validateSearch: callsSearch,
  component: lazyPage(async () => (await import('../calls/page.js')).CallsPage),
});

const call = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls/$callId',
  component: lazyPage(async () => (await import('../call/page.js')).CallPage),
});

const people = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  validateSearch: peopleSearch,
  component: lazyPage(async () => (await import('../people/page.js')).PeoplePage),
});

const doNotCall = createRoute({
  getParentRoute: () => rootRoute,
  path: '/do-not-call',
  validateSearch: doNotCallSearch,
  component: lazyPage(async () => (await import('../do-not-call/page.js')).DoNotCallPage),
});

const guardrails = createRoute({
  getParentRoute: () => rootRoute,
  path: '/guardrails',
  component: lazyPage(async () => (await import('../guardrails/page.js')).GuardrailsPage),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overview,
    batches,
    batch,
    records,
    campaigns,
    newCampaign,
    campaign,
    calls,
    call,
    newBatch,
    people,
    doNotCall,
    guardrails,
    ...agentsRoutes,
    ...telephonyRoutes,
    ...accountRoutes,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  parseSearch,
  stringifySearch,
});

// A screen reader and the Tab key go on where the new page begins.
router.subscribe('onResolved', ({ pathChanged, fromLocation }) => {
  if (pathChanged && fromLocation !== undefined) document.getElementById('main')?.focus();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
