import type { Operation } from '../operation.js';
import { createRoutingRule } from './create.js';
import { deleteRoutingRule } from './delete.js';
import { getRoutingRule } from './get.js';
import { listRoutingRules } from './list.js';
import { updateRoutingRule } from './update.js';

export const routingRuleOperations: readonly Operation[] = [
  createRoutingRule,
  listRoutingRules,
  getRoutingRule,
  updateRoutingRule,
  deleteRoutingRule,
];
