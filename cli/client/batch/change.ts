import type { ClientFlags } from '../../commands/service-options.js';
import { instantOf } from '../../moments.js';
import type { Row } from '../client.js';
import { clientOf } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { printDone } from '../output.js';
import { textOf } from '../printable.js';
import { preDialOf, retryOf, scheduleOf, stopOf, variantsOf, windowsOf } from './words.js';

/** What `batch set` may say; `none` takes a setting away. */
export interface BatchChanges {
  readonly name?: string;
  readonly description?: string;
  readonly schedule?: string;
  readonly retry?: string;
  readonly window?: readonly string[];
  readonly except?: readonly string[];
  readonly numberOnRetry?: string;
  readonly maxConcurrent?: number | 'none';
  readonly priority?: number;
  readonly stopAfter?: string;
  readonly until?: string;
  readonly maxCost?: number | 'none';
  readonly preDial?: string;
  readonly variant?: readonly string[];
  readonly open?: true;
}

/** The field of an option that was given: null for `none`. */
const field = <Given>(name: string, given: Given | undefined, read: (given: Given) => unknown): Row =>
  given === undefined ? {} : { [name]: given === 'none' ? null : read(given) };

const asItIs = (given: unknown): unknown => given;

function windowsOfChange({ window, except }: BatchChanges): Row {
  if (window?.includes('none') !== true) return field('callingWindow', windowsOf(window, except), asItIs);
  if (window.length > 1 || except !== undefined)
    throw wrongUsage('--window none stands alone: calls start at any hour.');
  return { callingWindow: null };
}

/**
 * The body of PATCH /v1/batch-calls/{batchId} for what the command line says.
 *
 * @throws CommandFailed if it says nothing, or something that cannot be read
 */
export function changesOf(flags: BatchChanges): Row {
  const body = {
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...field('description', flags.description, asItIs),
    ...field('schedule', flags.schedule, (text) => (text === 'now' ? null : scheduleOf(text))),
    ...field('retry', flags.retry, retryOf),
    ...windowsOfChange(flags),
    ...field('numberOnRetry', flags.numberOnRetry, asItIs),
    ...field('maxConcurrentCalls', flags.maxConcurrent, asItIs),
    ...field('priority', flags.priority, asItIs),
    ...field('stopAfter', flags.stopAfter, stopOf),
    ...field('until', flags.until, (text) => instantOf(text, '--until').toISOString()),
    ...field('maxCost', flags.maxCost, asItIs),
    ...field('preDial', flags.preDial, preDialOf),
    ...field('variants', flags.variant, variantsOf),
    ...field('open', flags.open, asItIs),
  };
  if (Object.keys(body).length > 0) return body;
  throw wrongUsage('Say what to change, such as --window "10:00-18:00", --priority 1 or --until "2027-01-31 18:00".');
}

/** `outdial batch set` */
export async function setBatch(batchId: string, flags: BatchChanges & ClientFlags): Promise<void> {
  const json = changesOf(flags);
  const client = await clientOf(flags);
  const batch = await client.ask('batchCalls.update', { path: { batchId }, json });
  const waits = textOf(batch.waitingFor);
  const words = `${textOf(batch.batchName)} (${batchId}) is changed: ${Object.keys(json).join(', ')}.`;
  printDone(waits === '' ? words : `${words} ${waits}`, batch, batchId, flags);
}
