import { createRoute } from '@tanstack/react-router';
import { auditSearch } from '../audit/search.js';
import { keysSearch } from '../keys/search.js';
import { usageSearch } from '../usage/search.js';
import { listSearch } from './list-search.js';
import { rootRoute } from './root-route.js';
import { lazyPage } from '../ui/lazy.js';

const webhooks = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: listSearch,
  component: lazyPage(async () => (await import('../webhooks/page.js')).WebhooksPage),
});

const keys = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: keysSearch,
  component: lazyPage(async () => (await import('../keys/page.js')).KeysPage),
});

const usage = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: usageSearch,
  component: lazyPage(async () => (await import('../usage/page.js')).UsagePage),
});

const auditLog = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit-log',
  validateSearch: auditSearch,
  component: lazyPage(async () => (await import('../audit/page.js')).AuditLogPage),
});

const defaults = createRoute({
  getParentRoute: () => rootRoute,
  path: '/defaults',
  component: lazyPage(async () => (await import('../defaults/page.js')).DefaultsPage),
});

const prices = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prices',
  component: lazyPage(async () => (await import('../prices/page.js')).PricesPage),
});

/** What belongs to the account as a whole. */
export const accountRoutes = [webhooks, keys, usage, auditLog, defaults, prices] as const;
