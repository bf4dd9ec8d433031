import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearch } from '../audit/search.js';
import { keysSearch } from '../keys/search.js';
import { usageSearch } from '../usage/search.js';
import { listSearch } from './list-search.js';
import { rootRoute } from './root-route.js';

const webhooks = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../webhooks/page.js'), 'WebhooksPage'),
});

const keys = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: keysSearch,
  component: lazyRouteComponent(() => import('../keys/page.js'), 'KeysPage'),
});

const usage = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyRouteComponent(() => import('../usage/page.js'), 'UsagePage'),
});

const auditLog = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit-log',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../audit/page.js'), 'AuditLogPage'),
});

const defaults = createRoute({
  getParentRoute: () => rootRoute,
  path: '/defaults',
  component: lazyRouteComponent(() => import('../defaults/page.js'), 'DefaultsPage'),
});

/** What belongs to the account as a whole. */
export const accountRoutes = [webhooks, keys, usage, auditLog, defaults] as const;
