import { basename, extname } from 'node:path';
import { instantOf } from '../../moments.js';
import type { Client } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { fieldOf } from '../output.js';
import { fileToSend, pairOf } from '../request.js';
import { preDialOf, retryOf, scheduleOf, stopOf, variantsOf, windowsOf } from './words.js';

/** What the command line says about a batch call that is to be made. */
export interface BatchFlags {
  readonly name?: string;
  readonly description?: string;
  readonly from?: readonly string[];
  readonly numberOnRetry?: string;
  readonly rule?: string;
  readonly schedule?: string;
  readonly retry?: string;
  readonly window?: readonly string[];
  readonly except?: readonly string[];
  readonly webhook?: string;
  readonly maxConcurrent?: number;
  readonly priority?: number;
  readonly stopAfter?: string;
  readonly until?: string;
  readonly maxCost?: string;
  readonly preDial?: string;
  readonly variant?: readonly string[];
  readonly column?: readonly string[];
  readonly defaultCountry?: string;
  readonly missingPlus?: string;
  readonly duplicates?: string;
  readonly unfilled?: string;
  readonly open?: true;
}

/** The fields of the form, read once: what is tried out is what is made. */
export interface BatchForm {
  /** Numbers that it calls from. */
  readonly from: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly bytes: Blob };
}

/** @throws CommandFailed with what is wrong in the command line */
export async function batchForm(client: Client, file: string, flags: BatchFlags): Promise<BatchForm> {
  const bytes = await fileToSend(file);
  const name = basename(file);
  const { webhook, variant = [], column = [] } = flags;
  const from = flags.from ?? [await onlyNumber(client)];
  if (flags.numberOnRetry !== undefined && from.length < 2) {
    throw wrongUsage('--number-on-retry chooses among several numbers: give --from for each of them.');
  }
  const json = {
    schedule: flags.schedule === undefined ? undefined : scheduleOf(flags.schedule),
    retry: flags.retry === undefined ? undefined : retryOf(flags.retry),
    stopAfter: flags.stopAfter === undefined ? undefined : stopOf(flags.stopAfter),
    callingWindow: windowsOf(flags.window, flags.except),
    webhook:
      webhook === undefined ? undefined : { endpoint: webhook, events: ['batchcall-started', 'batchcall-completed'] },
    preDial: flags.preDial === undefined ? undefined : preDialOf(flags.preDial),
    variants: variant.length === 0 ? undefined : variantsOf(variant),
    phoneNumbers: from.length < 2 ? undefined : from,
    columns: column.length === 0 ? undefined : Object.fromEntries(column.map(pairOf)),
  };
  const texts = {
    name: flags.name ?? basename(name, extname(name)),
    description: flags.description,
    phoneNumber: from.length < 2 ? from[0] : undefined,
    numberOnRetry: flags.numberOnRetry,
    routingRuleId: flags.rule,
    maxConcurrentCalls: flags.maxConcurrent?.toString(),
    priority: flags.priority?.toString(),
    until: flags.until === undefined ? undefined : instantOf(flags.until, '--until').toISOString(),
    maxCost: flags.maxCost,
    defaultCountry: flags.defaultCountry,
    missingPlus: flags.missingPlus,
    duplicates: flags.duplicates,
    unfilledPlaceholders: flags.unfilled,
    open: flags.open?.toString(),
    ...Object.fromEntries(
      Object.entries(json).map(([key, value]) => [key, value === undefined ? undefined : JSON.stringify(value)]),
    ),
  };
  const fields = Object.entries(texts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return { from, fields: Object.fromEntries(fields), file: { name, bytes } };
}

/** The form as it is sent; each request needs one of its own. */
export function formData({ fields, file }: BatchForm): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file.bytes, file.name);
  return form;
}

/** The number to call from, if the account has one that can. */
async function onlyNumber(client: Client): Promise<string> {
  const rows = await listRows(client, 'phoneNumbers.list', 100);
  const numbers = rows
    .filter(({ outbound }) => outbound !== null && outbound !== undefined)
    .map((row) => String(fieldOf(row, 'phoneNumber.e164')));
  const [first, ...others] = numbers;
  if (first === undefined) {
    throw wrongUsage(
      'No number of the account has an outbound gateway: register one first (POST /v2/sip/phone-numbers).',
    );
  }
  if (others.length === 0) return first;
  throw wrongUsage(
    `Name the number to call from with --from: ${numbers.slice(0, 20).join(', ')}${numbers.length > 20 ? ', …' : ''}.`,
  );
}
