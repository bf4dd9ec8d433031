import type { Problem } from '../../domain/errors.js';
import { filledUrl, placeholderProblem } from '../../domain/agent/tool.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';
import type { AppDeps } from '../operation.js';
import { valueAt } from '../validation.js';
import { parametersProblems } from './parameters.js';

/** Problems of a tool's body that its schema cannot see; omitted fields are not checked. */
export function toolBodyProblems(body: unknown, { env }: AppDeps): Problem[] {
  const url = valueAt(body, ['url']);
  const problems = parametersProblems(valueAt(body, ['parameters']));
  if (typeof url !== 'string') return problems;
  const refused = outboundUrlProblem(filledUrl(url), {
    allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
    allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
  });
  return refused === null ? problems : [...problems, { path: 'url', code: 'INVALID_URL', message: refused }];
}

/** Problems between the URL of a tool and its parameters. */
export function placeholderProblems(tool: { readonly url: string; readonly parameters: object }): Problem[] {
  const message = placeholderProblem(tool.url, tool.parameters);
  return message === null ? [] : [{ path: 'url', code: 'INVALID_URL', message }];
}
