import { type BatchForm, readBatchForm } from '../batch/form.js';
import { formOfJson } from '../batch/form-json.js';
import type { BatchFormContext } from '../batch/form.js';
import type { Problem } from '../errors.js';
import { isObject } from '../input/json-value.js';

/** Fields of a batch that a run decides by itself. */
const ofTheRun: Readonly<Record<string, string>> = {
  schedule: 'is decided by cron: a run starts at once',
  recipients: 'are posted to the campaign',
};

/**
 * The settings of a campaign's batch calls, read as POST /v1/batch-calls reads them, so that whatever a batch call can be told
 * a template can say.
 *
 * @param name of the batch call, if the template has none
 */
export function readTemplate(
  template: unknown,
  name: string,
  context: BatchFormContext,
): { readonly form: BatchForm } | { readonly problems: readonly Problem[] } {
  const settings = isObject(template) ? template : {};
  const foreign = Object.keys(settings).flatMap((field): Problem[] => {
    const message = Object.hasOwn(ofTheRun, field) ? ofTheRun[field] : undefined;
    return message === undefined ? [] : [{ path: field, code: 'UNRECOGNIZED_KEY', message }];
  });
  const own = Object.fromEntries(Object.entries({ name, ...settings }).filter(([field]) => !(field in ofTheRun)));
  const read = readBatchForm(formOfJson(own, []), context);
  const problems = [...foreign, ...('problems' in read ? read.problems : [])];
  return 'form' in read && problems.length === 0 ? read : { problems };
}
