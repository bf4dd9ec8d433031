import { z } from 'zod';
import { notFound } from '../../domain/errors.js';

export const RuleParams = z.object({ ruleId: z.string().describe('Id of the rule, `rule_…`') });

/** The account has no such rule. */
export const noSuchRule = () => notFound('Routing rule not found');
