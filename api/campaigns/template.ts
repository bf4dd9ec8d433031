import type { Db } from '../../db/client.js';
import { accountDefaults } from '../../db/queries/accounts/defaults.js';
import { lockBatchRoute } from '../../db/queries/batches/lock-route.js';
import { type AccountDefaults, noDefaults } from '../../domain/account/defaults.js';
import type { BatchForm } from '../../domain/batch/form.js';
import { readTemplate } from '../../domain/campaign/template.js';
import { conflict, type Problem, wordsOfProblems } from '../../domain/errors.js';
import { isObject } from '../../domain/input/json-value.js';
import { operatorLimitsOf } from '../../platform/operator-env.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';
import { requireKnownSuccess } from '../batch-calls/required-success.js';
import type { AppDeps } from '../operation.js';
import { invalidRequest } from '../validation.js';

type Deps = Pick<AppDeps, 'env' | 'clock'>;

function readFor(template: unknown, defaults: AccountDefaults, { env, clock }: Deps): ReturnType<typeof readTemplate> {
  const rules = {
    allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
    allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
  };
  return readTemplate(template, 'Campaign', {
    now: clock(),
    endpointProblem: (endpoint) => outboundUrlProblem(endpoint, rules),
    defaults,
    operator: operatorLimitsOf(env),
  });
}

const read = async (tx: Db, accountId: string, template: unknown, deps: Deps) =>
  readFor(template, await accountDefaults(tx, accountId), deps);

const inTemplate = ({ path, ...problem }: Problem): Problem => ({
  path: path === '' ? 'template' : `template.${path}`,
  ...problem,
});

/** What is wrong with the fields of a template, whatever is wrong beside it: all problems are answered at once. */
export function templateProblems(body: unknown, deps: Deps): readonly Problem[] {
  if (!isObject(body) || !isObject(body.template)) return [];
  const found = readFor(body.template, noDefaults, deps);
  return 'problems' in found ? found.problems.map(inTemplate) : [];
}

/**
 * Judges a template as the batch call of a run would be judged now: its fields, its number, rule and agent.
 *
 * @throws Failure with everything that is wrong with its fields, else with what is wrong with number, rule or agent
 */
export async function requireTemplate(tx: Db, accountId: string, template: object, deps: Deps): Promise<void> {
  const found = await read(tx, accountId, template, deps);
  if ('problems' in found) {
    throw invalidRequest(found.problems.map(inTemplate));
  }
  const { ruleId } = await lockBatchRoute(tx, accountId, found.form);
  await requireKnownSuccess(tx, accountId, { ruleId, variants: found.form.variants }, found.form);
}

/** What a stored template says. @throws Failure `conflict` if it would be refused by now */
export async function formOfTemplate(tx: Db, accountId: string, template: unknown, deps: Deps): Promise<BatchForm> {
  const found = await read(tx, accountId, template, deps);
  if ('form' in found) return found.form;
  throw conflict(`The template is not valid any more. Change it first: ${wordsOfProblems(found.problems)}`);
}
