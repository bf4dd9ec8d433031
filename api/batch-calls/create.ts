import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../db/client.js';
import { accountDefaults } from '../../db/queries/accounts/defaults.js';
import { insertBatchCall } from '../../db/queries/batches/create.js';
import { numberTimeZones } from '../../contacts/number-time-zones.js';
import { countNumbersOf, lockBatchRoute } from '../../db/queries/batches/lock-route.js';
import type { AccountDefaults } from '../../domain/account/defaults.js';
import { readBatchForm, type BatchForm } from '../../domain/batch/form.js';
import { invalid } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { shapeProblem } from '../../domain/input/json-shape.js';
import { operatorLimitsOf } from '../../platform/operator-env.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { webhookRules } from '../webhook-rules.js';
import { requireRoomForBatch } from '../quotas.js';
import { operation, type AppDeps } from '../operation.js';
import { CreateBatchCallForm, CreateBatchCallJson } from './create-form.js';
import { requireStoredBatch } from './detail.js';
import type { FormParts } from './form-parts.js';
import { requireKnownSuccess } from './required-success.js';
import { readSentBatch, recipientsBody, requireSpokenLanguages } from './read-form.js';
import { BatchCall, batchCallBody } from './schema.js';

/** A form that is in order, and what it was judged by. */
interface JudgedForm {
  readonly form: BatchForm;
  readonly defaults: AccountDefaults;
  readonly now: Date;
}

/** The form of create, read and judged. @throws Failure `invalid` with everything that is wrong with it */
export async function requireForm(
  db: Db,
  accountId: string,
  parts: FormParts,
  { env, clock }: Pick<AppDeps, 'env' | 'clock'>,
): Promise<JudgedForm> {
  const now = clock();
  const defaults = await accountDefaults(db, accountId);
  const endpointProblem = (endpoint: string) => outboundUrlProblem(endpoint, webhookRules(env));
  const read = readBatchForm(parts, { now, endpointProblem, defaults, operator: operatorLimitsOf(env) });
  if ('problems' in read) throw invalid('The form is not valid', read.problems);
  return { form: read.form, defaults, now };
}

/** JSON that says the same is the same, however it is spaced. */
function meaningOf(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return shapeProblem(value) === null ? value : text;
  } catch {
    return text;
  }
}

/** What makes two forms the same; multipart boundaries differ from one try to the next. */
const contentOf = ({ texts, repeated, filename, sha256 }: FormParts): unknown => {
  const sent = [...texts].filter(([, text]) => text !== '').toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [sent.map(([name, text]) => [name, meaningOf(text)]), repeated, filename, sha256];
};

/**
 * POST /v1/batch-calls
 *
 * One transaction stores batch, file and the order to start the workflow; Temporal is not needed for the answer.
 */
export const createBatchCall = operation({
  name: 'batchCalls.create',
  method: 'POST',
  url: '/v1/batch-calls',
  family: 'batch-calls',
  tag: 'Batch calls',
  idempotent: true,
  ...recipientsBody,
  schema: {
    summary: 'Create a batch call',
    description:
      'Takes a form with a file, or JSON with `recipients`, and answers at once, at status `parsing`; the batch call ' +
      'starts by itself when they have been read, or at its scheduled time. The number needs an outbound gateway and an outbound routing rule whose ' +
      'agent is active. A 400 names everything that is wrong with the form.',
    documentedBody: { contentType: 'application/json', schema: CreateBatchCallJson, form: CreateBatchCallForm },
    response: { 201: BatchCall },
    errors: [404, 409],
  },

  async handler(request, deps) {
    const { accountId } = request.caller;
    const parts = await readSentBatch(request.raw);

    const create = async (tx: Db) => {
      // Judged in here, so that a key's first answer is repeated also when the schedule is in the past by now.
      const { form, defaults, now } = await requireForm(tx, accountId, parts, deps);
      await requireRoomForBatch(tx, accountId, parts.bytes.length, deps.env);
      const batchId = formatId('batch', uuidv7());
      const route = await lockBatchRoute(tx, accountId, form);
      const who = { ruleId: route.ruleId, variants: form.variants };
      await requireSpokenLanguages(tx, accountId, who, parts.recipients ?? []);
      await requireKnownSuccess(tx, accountId, who, form);
      await insertBatchCall(tx, {
        accountId,
        batchId,
        form,
        route,
        file: { key: formatId('file', uuidv7()), sha256: parts.sha256, bytes: parts.bytes },
        timezone: defaults.timezone,
        simulated: deps.env.OUTDIAL_PROVIDER === 'simulator',
        now,
      });
      await countNumbersOf(tx, accountId, form.phoneNumbers, numberTimeZones());
      await recordAudit(tx, request.caller, 'batch-call.create', batchId, { name: form.name });
      const row = await requireStoredBatch(tx, accountId, batchId);
      return { status: 201 as const, body: batchCallBody(row) };
    };
    const answer = await withIdempotency(request, deps, contentOf(parts), create);
    deps.temporal.kick();
    return answer;
  },
});
