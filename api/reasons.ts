import { z } from 'zod';
import { pauseReasons } from '../domain/batch/pause-reasons.js';
import { listedWaitingReasons, type WaitingReason, waitingReasons } from '../domain/batch/waiting-reasons.js';
import { listedRowReasons, rowReasons } from '../domain/batch/row-reasons.js';
import {
  type EndReason,
  endReasonEntry,
  isEndReason,
  listedEndReasons,
  sipCodeReason,
} from '../domain/call/end-reasons.js';

/**
 * A list of values that may grow. Clients get the type `string`, and the values known today as `x-extensible-enum`. An
 * answer with a value that is not listed fails our tests; in production it is logged, and the client still gets it.
 *
 * @param table rows for the description: the value first
 */
function growingList<Value extends string>(
  id: string,
  isListed: (text: string) => text is Value,
  { values, purpose, table }: { values: readonly string[]; purpose: string; table: readonly (readonly string[])[] },
) {
  const [head = [], ...rows] = table;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const description = [
    `${purpose} The list may grow: accept values that are not in it.\n`,
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
  ].join('\n');
  return z
    .custom<Value>((value) => typeof value === 'string' && isListed(value), 'is not one of the listed reasons')
    .meta({ id, type: 'string', 'x-extensible-enum': [...values], description, examples: [values[0]] });
}

const code = (text: string): string => `\`${text}\``;
const pauses = { 'by-resume': 'by `resume`', 'by-itself': 'by itself', either: 'either' } as const;

function retriesOf({ statuses, permanent, endsCall }: ReturnType<typeof endReasonEntry>): string {
  if (permanent === true) return 'never, nor by `POST …/retry`';
  const ended = endsCall === true || statuses.every((status) => status === 'answered' || status === 'cancelled');
  return ended ? 'no' : 'by the plan';
}

const endRow = (reason: string, entry: ReturnType<typeof endReasonEntry>): string[] => [
  code(reason),
  entry.statuses.map(code).join(', '),
  retriesOf(entry),
  entry.meaning,
];

const EndReasonSchema = growingList('EndReason', (text): text is EndReason => isEndReason(text), {
  values: listedEndReasons,
  purpose:
    'Why a call or an attempt ended. A call with the status `ended` has the reasons of `answered`. ' +
    '“By the plan” means that the batch’s `retry` decides whether another attempt follows.',
  table: [
    ['Reason', 'Status', 'Retried', 'Meaning'],
    ...listedEndReasons.map((reason) => endRow(reason, endReasonEntry(reason))),
    endRow(sipCodeReason.pattern, sipCodeReason),
  ],
});

/** Why a call or an attempt ended. */
export const endReason = () => EndReasonSchema;

const PauseReasonSchema = growingList(
  'PauseReason',
  (text): text is keyof typeof pauseReasons => Object.hasOwn(pauseReasons, text),
  {
    values: Object.keys(pauseReasons),
    purpose: 'Why nothing of a batch call is dialed. “Ends” says what ends the pause once its cause is gone.',
    table: [
      ['Reason', 'Ends', 'Meaning'],
      ...Object.entries(pauseReasons).map(([reason, { ends, meaning }]) => [code(reason), pauses[ends], meaning]),
    ],
  },
);

/** Why nothing of a batch is dialed. */
export const pauseReason = () => PauseReasonSchema;

const untils = { instant: 'an instant', event: 'null: an event decides', either: 'an instant, or null' } as const;

const WaitingReasonSchema = growingList(
  'WaitingReason',
  (text): text is WaitingReason => Object.hasOwn(waitingReasons, text),
  {
    values: listedWaitingReasons,
    purpose:
      'Why a recipient waits. Each counts for one reason: if several hold it back, for the first of this list; of the hours ' +
      'and delays, `calling_window` to `not_before`, for the one that ends last. Recipients that are not in the queue yet ' +
      'count for what those wait for who go before them.',
    table: [
      ['Reason', '`until`', 'Meaning'],
      ...listedWaitingReasons.map((reason) => {
        const { until, meaning } = waitingReasons[reason];
        return [code(reason), untils[until], meaning];
      }),
    ],
  },
);

/** Why a recipient waits. */
export const waitingReason = () => WaitingReasonSchema;

const RejectedRowReasonSchema = growingList(
  'RejectedRowReason',
  (text): text is keyof typeof rowReasons => Object.hasOwn(rowReasons, text),
  {
    values: listedRowReasons,
    purpose: 'Why a row of a file is not called.',
    table: [['Reason', 'Meaning'], ...listedRowReasons.map((reason) => [code(reason), rowReasons[reason].meaning])],
  },
);

/** Why a row of a file is not called. */
export const rejectedRowReason = () => RejectedRowReasonSchema;
