import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { batchSearch } from '../batch/search.js';
import { batchesSearch } from '../batches/search.js';
import { recordsSearch } from '../records/search.js';
import { NotFound } from './not-found.js';
import { parseSearch, stringifySearch } from './search.js';
import { Shell } from './shell.js';

/**
 * The pages of the console. Each is loaded when it is first opened. A new page is a route here, a folder for its files, and a line
 * in navigation.ts if the navigation leads to it.
 */
const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../overview/page.js'), 'OverviewPage'),
});

const batches = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches',
  validateSearch: batchesSearch,
  component: lazyRouteComponent(() => import('../batches/page.js'), 'BatchesPage'),
});

const newBatch = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new',
  component: lazyRouteComponent(() => import('../new-batch/page.js'), 'NewBatchPage'),
});

const batch = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches/$batchId',
  validateSearch: batchSearch,
  component: lazyRouteComponent(() => import('../batch/page.js'), 'BatchPage'),
});

const records = createRoute({
  getParentRoute: () => rootRoute,
  path: '/batches/$batchId/records',
  validateSearch: recordsSearch,
  component: lazyRouteComponent(() => import('../records/page.js'), 'RecordsPage'),
});

const call = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls/$callId',
  component: lazyRouteComponent(() => import('../call/page.js'), 'CallPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([overview, batches, batch, records, call, newBatch]),
  basepath: '/console',
  defaultPreload: 'intent',
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
