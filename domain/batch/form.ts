import type { z } from 'zod';
import { type AccountDefaults, noDefaults } from '../account/defaults.js';
import { batchFormReaders, type EndpointProblem } from './form-fields.js';
import type { Problem } from '../errors.js';
import { isNoPreDial, type PreDial } from './pre-dial.js';
import { noOperatorLimits, type OperatorLimits, retryProblems } from '../account/operator-limits.js';
import { fieldProblems } from '../input/field-problems.js';
import { ordinaryPriority } from './dialing-order.js';
import { startOf, type Start } from './schedule.js';
import { untilProblem } from './stops.js';

const batchFileExtensions = ['csv', 'xls', 'xlsx'] as const;
type UploadExtension = (typeof batchFileExtensions)[number];
/** `json`: recipients of a JSON body in place of a file. */
export type BatchFileExtension = UploadExtension | 'json';

/** 5 MB (docs/conformance.md, Limits and versioning). */
export const mostBatchFileBytes = 5_242_880;

/** A form as it was sent: what belongs to which field, and nothing judged yet. */
export interface SentForm {
  /** The first text of each field. An empty one counts as omitted. */
  readonly texts: ReadonlyMap<string, string>;
  /** Names sent more than once. */
  readonly repeated: readonly string[];
  /** Name of the uploaded file without folders; null if none was sent. */
  readonly filename: string | null;
  /** Sent as JSON with recipients in place of a file: what is wrong with values and recipients. */
  readonly ofJson?: readonly Problem[];
}

/** What the rules need to know. */
export interface BatchFormContext {
  readonly now: Date;
  readonly endpointProblem: EndpointProblem;
  /** Omitted: the operator limits nothing. */
  readonly operator?: OperatorLimits;
  /** Of the account, for what the form does not say. */
  readonly defaults?: AccountDefaults;
}

type Readers = ReturnType<typeof batchFormReaders>;

/** The same, and never written to. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

/** What the fields say; null: nothing. */
type Read = { readonly [F in keyof Readers]: Frozen<z.output<Readers[F]>> | null };

/** Fields that always have a value: they are required or have a default. */
type Certain = 'name' | 'open' | 'priority' | 'duplicates' | 'missingPlus' | 'unfilledPlaceholders';

/**
 * A create request without fault in itself; whether number and rule exist is for the database to say. `phoneNumber`,
 * `phoneNumberId` or both are there, or `phoneNumbers`; `defaultCountry` null: no national numbers are accepted.
 */
export interface BatchForm extends Omit<Read, Certain | 'schedule' | 'preDial'>, Certainly<Pick<Read, Certain>> {
  readonly filename: string;
  readonly extension: BatchFileExtension;
  /** null: nobody is asked, and the default of the account does not count. */
  readonly preDial: PreDial | null;
  readonly schedule: (Start & { readonly date: string; readonly time: string }) | null;
}
type Certainly<T> = { readonly [K in keyof T]: NonNullable<T[K]> };

const problem = (path: string, code: string, message: string): Problem => ({ path, code, message });

/** The extension of an accepted file, in lower case and without its dot, or null. */
export function batchFileExtension(filename: string): UploadExtension | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase();
  return batchFileExtensions.find((known) => known === extension) ?? null;
}

function fileProblems({ filename, texts, ofJson }: SentForm): readonly Problem[] {
  if (ofJson !== undefined) return ofJson;
  if (texts.has('file')) return [problem('file', 'INVALID_TYPE', 'must be sent as a file, with a filename')];
  if (filename === null) return [problem('file', 'REQUIRED', 'is required: a .csv, .xls or .xlsx file')];
  if (/\0|\p{Surrogate}/u.test(filename))
    return [problem('file', 'INVALID_VALUE', 'has a name with broken characters')];
  return batchFileExtension(filename) === null
    ? [problem('file', 'INVALID_VALUE', 'must be a .csv, .xls or .xlsx file')]
    : [];
}

/** What the names of the fields alone tell. */
function nameProblems({ texts, repeated, ofJson }: SentForm, known: ReadonlySet<string>): Problem[] {
  const problems = repeated.map((name) => problem(name, 'INVALID_VALUE', 'must be sent only once'));
  for (const name of texts.keys()) {
    if ((name !== 'file' || ofJson !== undefined) && !known.has(name))
      problems.push(problem(name, 'UNRECOGNIZED_KEY', 'is an unrecognized field'));
  }
  // A value that is there and is no text is a problem of its own.
  const isSent = (name: string) => Boolean(texts.get(name)) || (ofJson ?? []).some(({ path }) => path === name);
  if (!isSent('name')) problems.push(problem('name', 'REQUIRED', 'is required'));
  if (!isSent('phoneNumber') && !isSent('phoneNumberId')) {
    if (!isSent('phoneNumbers'))
      problems.push(problem('phoneNumber', 'REQUIRED', 'is required, or phoneNumberId in its place'));
    else return problems;
  } else if (isSent('phoneNumbers')) {
    problems.push(
      problem('phoneNumbers', 'INVALID_VALUE', 'is sent in place of phoneNumber and phoneNumberId, not with them'),
    );
  }
  if (isSent('numberOnRetry') && !isSent('phoneNumbers')) {
    problems.push(problem('numberOnRetry', 'INVALID_VALUE', 'is for a batch call with phoneNumbers'));
  }
  return problems;
}

/** What a client's form asks for, or everything that is wrong with it (docs/conformance.md, POST /v1/batch-calls). */
export function readBatchForm(
  sent: SentForm,
  { now, endpointProblem, operator = noOperatorLimits, defaults = noDefaults }: BatchFormContext,
): { readonly form: BatchForm } | { readonly problems: readonly Problem[] } {
  const fields = batchFormReaders(endpointProblem);
  const problems = [...fileProblems(sent), ...nameProblems(sent, new Set(Object.keys(fields)))];
  const read = <T>(name: string, field: z.ZodType<T>): T | null => {
    const text = sent.texts.get(name);
    if (text === undefined || text === '') return null;
    const parsed = field.safeParse(text);
    if (parsed.success) return parsed.data;
    problems.push(...fieldProblems(name, parsed.error));
    return null;
  };
  const readSchedule = (): BatchForm['schedule'] => {
    const schedule = read('schedule', fields.schedule);
    if (schedule === null) return null;
    const { date, time, timezone } = schedule;
    const found = startOf({ date, time, ...(timezone ? { timezone } : {}) }, now, defaults.timezone);
    if ('start' in found) return { date, time, ...found.start };
    problems.push(...found.problems);
    return null;
  };
  const readColumns = () => {
    const columns = read('columns', fields.columns);
    if (columns === null || sent.ofJson === undefined) return columns;
    problems.push(
      problem('columns', 'INVALID_VALUE', 'names headers of a file, and recipients sent as JSON have none'),
    );
    return null;
  };
  const preDial = isNoPreDial(sent.texts.get('preDial')) ? null : (read('preDial', fields.preDial) ?? defaults.preDial);
  const missingPlus = read('missingPlus', fields.missingPlus);
  const form = {
    filename: sent.filename ?? '',
    extension: sent.ofJson === undefined ? (batchFileExtension(sent.filename ?? '') ?? 'csv') : ('json' as const),
    name: read('name', fields.name) ?? '',
    description: read('description', fields.description),
    phoneNumber: read('phoneNumber', fields.phoneNumber),
    phoneNumberId: read('phoneNumberId', fields.phoneNumberId),
    phoneNumbers: read('phoneNumbers', fields.phoneNumbers),
    numberOnRetry: read('numberOnRetry', fields.numberOnRetry),
    routingRuleId: read('routingRuleId', fields.routingRuleId),
    schedule: readSchedule(),
    retry: read('retry', fields.retry),
    webhook: read('webhook', fields.webhook),
    callingWindow: read('callingWindow', fields.callingWindow) ?? defaults.callingWindow,
    maxConcurrentCalls: read('maxConcurrentCalls', fields.maxConcurrentCalls),
    variants: read('variants', fields.variants),
    priority: read('priority', fields.priority) ?? ordinaryPriority,
    open: read('open', fields.open) ?? false,
    columns: readColumns(),
    duplicates: read('duplicates', fields.duplicates) ?? 'call',
    missingPlus: missingPlus ?? 'reject',
    // A form that says how numbers without + are meant is not read otherwise by a default.
    defaultCountry: read('defaultCountry', fields.defaultCountry) ?? (missingPlus === null ? defaults.country : null),
    unfilledPlaceholders: read('unfilledPlaceholders', fields.unfilledPlaceholders) ?? defaults.unfilledPlaceholders,
    stopAfter: read('stopAfter', fields.stopAfter),
    until: read('until', fields.until),
    maxCost: read('maxCost', fields.maxCost),
    preDial,
  } satisfies BatchForm;
  const tooEarly = form.until === null ? null : untilProblem(form.until, now, form.schedule?.startsAt ?? null);
  if (tooEarly !== null) problems.push(problem('until', 'OUT_OF_RANGE', tooEarly));
  problems.push(...retryProblems(operator, form.retry?.retryDelays ?? []));
  return problems.length > 0 ? { problems } : { form };
}
