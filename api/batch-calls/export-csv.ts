import { stringify } from 'csv-stringify/sync';
import type { ExportedOnRequest, ExportedRecord } from '../../db/queries/batches/export.js';
import { formatId } from '../../domain/ids.js';
import { property } from '../../domain/input/json-value.js';
import { pricedAmount } from '../cost.js';
import { spreadsheetCell } from '../../domain/batch/spreadsheet-cell.js';

const numberColumn = 'phone_number';

/** What follows the columns of the upload, in this order. */
const results: Readonly<Record<string, (record: ExportedRecord) => string | number | null>> = {
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  sip_status_code: ({ sipStatusCode }) => sipStatusCode,
  attempts: ({ attempts }) => attempts,
  call_id: ({ id }) => formatId('call', id),
  call_duration: ({ talkSeconds }) => (talkSeconds === null ? null : Math.round(talkSeconds * 1000) / 1000),
  answered_by: ({ answeredBy, status }) => (status === 'answered' ? answeredBy : null),
  last_attempt_at: ({ lastAttemptAt }) => lastAttemptAt?.toISOString() ?? null,
  next_attempt_at: ({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? null,
  called_back_by: ({ calledBackBy }) => (calledBackBy === null ? null : formatId('call', calledBackBy)),
};

type Cell = string | number | boolean | null;
type Column = readonly [name: string, cell: (record: ExportedRecord) => Cell];

/** What an export has beyond the columns that all have. */
export interface ExportExtras {
  /** Recipients have ids of the client's own, which get a column. */
  readonly hasIds?: boolean;
  /** The client was asked before calls: what it said of those that it refused gets a column. */
  readonly asksFirst?: boolean;
  /** Recipients are divided among variants, which get a column. */
  readonly hasVariants?: boolean;
  /** It calls from several numbers: that of the last attempt gets a column. */
  readonly hasNumbers?: boolean;
  /** The account has prices: what each has cost gets two columns. */
  readonly hasPrices?: boolean;
  /** What calls were analyzed for: a column each, and two for how that went. */
  readonly analysisFields?: readonly string[];
  /** What was asked for. */
  readonly include?: readonly ExportedOnRequest[];
}

function analyzed({ analysis }: ExportedRecord, field: string): Cell {
  const value = property(analysis, field);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** What was said, a line for each time that someone spoke: `callee: Yes, please.` */
function spoken({ transcript }: ExportedRecord): Cell {
  if (!Array.isArray(transcript)) return null;
  const lines = transcript.flatMap((said: unknown) => {
    const [speaker, text] = [property(said, 'speaker'), property(said, 'text')];
    return typeof text === 'string' ? [typeof speaker === 'string' ? `${speaker}: ${text}` : text] : [];
  });
  return lines.join('\n');
}

const onRequest: Readonly<Record<ExportedOnRequest, (record: ExportedRecord) => Cell>> = {
  summary: ({ summary }) => summary,
  transcript: spoken,
};

function columnsOf({
  hasIds = false,
  asksFirst = false,
  hasVariants = false,
  hasNumbers = false,
  hasPrices = false,
  analysisFields = [],
  include = [],
}: ExportExtras): Column[] {
  const fields = analysisFields.map((field): Column => [`analysis_${field}`, (record) => analyzed(record, field)]);
  return [
    ...Object.entries(results),
    ...(hasIds ? [['recipient_id', ({ recipientId }) => recipientId] satisfies Column] : []),
    ...(asksFirst ? [['pre_dial_reason', ({ preDialReason }) => preDialReason] satisfies Column] : []),
    ...(hasVariants ? [['variant', ({ variant }) => variant] satisfies Column] : []),
    ...(hasNumbers ? [['called_from', ({ calledFrom }) => calledFrom] satisfies Column] : []),
    ...(hasPrices
      ? [
          ['cost', ({ cost }) => pricedAmount(cost)] satisfies Column,
          ['currency', ({ cost, currency }) => (pricedAmount(cost) === null ? null : currency)] satisfies Column,
        ]
      : []),
    ...fields,
    ...(fields.length === 0
      ? []
      : [
          ['success', ({ success }) => success] satisfies Column,
          ['analysis_error', ({ analysisError }) => analysisError] satisfies Column,
        ]),
    ...include.map((name): Column => [name, onRequest[name]]),
  ];
}

/** Names of the result columns: one that the upload has taken already, in whatever casing, becomes `result_…`. */
export function resultColumns(uploaded: readonly string[], extras: ExportExtras = {}): string[] {
  const taken = new Set(uploaded.map((name) => name.toLowerCase()));
  return columnsOf(extras).map(([name]) => {
    let free = name;
    while (taken.has(free)) free = `result_${free}`;
    taken.add(free);
    return free;
  });
}

const line = (cells: readonly Cell[]): string =>
  stringify([cells.map((cell) => (typeof cell === 'string' ? spreadsheetCell(cell) : cell))], {
    record_delimiter: 'windows',
    // A number in quotes is a text to those who ask: the + of a phone number survives.
    quoted_string: true,
    cast: { boolean: String },
  });

/** Values of a row by the names of the columns, as own values only: a column may be called `__proto__`. */
const valuesOf = (metadata: unknown): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(typeof metadata === 'object' && metadata !== null ? metadata : {}));

/**
 * Records as CSV (RFC 4180, UTF-8): a header, then a line for each record.
 *
 * @param columns of the upload; without any the numbers alone
 */
export async function* csvOfRecords(
  columns: readonly string[],
  pages: AsyncIterable<readonly ExportedRecord[]>,
  extras: ExportExtras = {},
): AsyncGenerator<string> {
  const added = columnsOf(extras);
  const uploaded = columns.length === 0 ? [numberColumn] : columns;
  yield line([...uploaded, ...resultColumns(uploaded, extras)]);
  for await (const page of pages) {
    yield page
      .map((record) => {
        const values = valuesOf(record.metadata);
        const cells = uploaded.map((column) => {
          if (column === numberColumn) return record.phoneNumber;
          const value = values.get(column);
          if (value === undefined || value === null) return '';
          return typeof value === 'string' ? value : JSON.stringify(value);
        });
        return line([...cells, ...added.map(([, cellOf]) => cellOf(record))]);
      })
      .join('');
  }
}

/** `Content-Disposition` that saves under a name made of the batch's own, whatever characters that has. */
export function attachment(batchName: string): string {
  const words = batchName
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\/:*?<>|%]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const name = Array.from(words).slice(0, 80).join('').replace(/^\.+/, '') || 'batch-call';
  const plain =
    name
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .trim() || 'batch-call';
  const encoded = encodeURIComponent(`${name}-records.csv`).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}-records.csv"; filename*=UTF-8''${encoded}`;
}
