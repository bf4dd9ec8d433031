import { createRoute } from '@tanstack/react-router';
import { gatewaysSearch } from '../gateways/search.js';
import { rulesSearch } from '../rules/search.js';
import { listSearch } from './list-search.js';
import { rootRoute } from './root-route.js';
import { lazyPage } from '../ui/lazy.js';

const gateways = createRoute({
  getParentRoute: () => rootRoute,
  path: '/gateways',
  validateSearch: gatewaysSearch,
  component: lazyPage(async () => (await import('../gateways/page.js')).GatewaysPage),
});

const newGateway = createRoute({
  getParentRoute: () => rootRoute,
  path: '/gateways/new',
  validateSearch: gatewaysSearch,
  component: lazyPage(async () => (await import('../gateways/new.js')).NewGatewayPage),
});

const gateway = createRoute({
  getParentRoute: () => rootRoute,
  path: '/gateways/$gatewayId',
  component: lazyPage(async () => (await import('../gateways/gateway.js')).GatewayPage),
});

const numbers = createRoute({
  getParentRoute: () => rootRoute,
  path: '/numbers',
  validateSearch: listSearch,
  component: lazyPage(async () => (await import('../numbers/page.js')).NumbersPage),
});

const newNumbers = createRoute({
  getParentRoute: () => rootRoute,
  path: '/numbers/new',
  component: lazyPage(async () => (await import('../numbers/new.js')).NewNumbersPage),
});

const number = createRoute({
  getParentRoute: () => rootRoute,
  path: '/numbers/$phoneNumberId',
  component: lazyPage(async () => (await import('../numbers/number.js')).NumberPage),
});

const rules = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules',
  validateSearch: rulesSearch,
  component: lazyPage(async () => (await import('../rules/page.js')).RulesPage),
});

const newRule = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/new',
  validateSearch: rulesSearch,
  component: lazyPage(async () => (await import('../rules/new.js')).NewRulePage),
});

const rule = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/$ruleId',
  component: lazyPage(async () => (await import('../rules/rule.js')).RulePage),
});

/** Gateways, numbers and routing rules. */
export const telephonyRoutes = [
  gateways,
  newGateway,
  gateway,
  numbers,
  newNumbers,
  number,
  rules,
  newRule,
  rule,
] as const;
