import type { Operation } from '../operation.js';
import { createRoutingRule } from './create.js';
import { listRoutingRules } from './list.js';

export const routingRuleOperations: readonly Operation[] = [createRoutingRule, listRoutingRules];
