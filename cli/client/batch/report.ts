import { z } from 'zod';
import type { Row } from '../client.js';
import { coloursOn, tableOf } from '../output.js';
import { printable, textOf } from '../printable.js';

const Report = z.looseObject({
  valid: z.boolean(),
  parseError: z.string().nullable(),
  hint: z.string().optional(),
  rows: z.number(),
  recordsUploaded: z.number(),
  recordsRejected: z.number(),
  rejected: z.array(z.looseObject({ row: z.number(), value: z.string(), reason: z.string(), message: z.string() })),
  recordsCorrected: z.number(),
  corrected: z.array(z.looseObject({ row: z.number(), value: z.string(), phoneNumber: z.string() })),
  columns: z.array(z.string()).default([]),
  unfilledPlaceholders: z.array(z.looseObject({ path: z.string(), placeholder: z.string() })),
  startsAt: z.string(),
  firstCallAt: z.string().nullable(),
  dialingStopped: z.boolean(),
  heldBack: z.array(
    z.looseObject({ reason: z.string(), count: z.number(), until: z.string().nullable(), rows: z.array(z.number()) }),
  ),
  estimate: z.looseObject({
    seconds: z.number(),
    basis: z.string(),
    // Of an account with prices, and not of an older service.
    cost: z
      .looseObject({
        ...{ low: z.number(), high: z.number(), currency: z.string(), withoutPrice: z.number(), basis: z.string() },
      })
      .optional(),
  }),
});

/** More rows than anybody reads in a terminal; `-o json` has those that the service lists. */
const mostRows = 20;

/** The clock of this machine, with the zone that it shows. */
export const localTime = (instant: string): string =>
  new Date(instant).toLocaleString('sv-SE', { timeZoneName: 'short', dateStyle: undefined, ...clock });
const clock = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;

/** 4800 → `1 h 20 min` */
export function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Whether any number would be called. */
export const isUsable = (report: Row): boolean => Report.parse(report).valid;

/** The dry run as a person reads it. */
export function linesOfReport(answer: Row, file: string): string[] {
  const report = Report.parse(answer);
  const { green, red, yellow } = coloursOn(process.stdout);
  if (report.parseError !== null)
    return [red(`${file} cannot be used: ${printable(report.parseError)}`), ...hintOf(report)];
  const { recordsUploaded: called, recordsRejected: rejected, rows } = report;
  const counts = `${rows} ${rows === 1 ? 'row' : 'rows'}: ${called} would be called, ${rejected} would not`;
  return [
    report.valid ? green(counts) : red(counts),
    ...hintOf(report),
    ...timesOf(report),
    ...(report.dialingStopped
      ? [yellow('All dialing of the account is stopped: nothing is called until it goes on.')]
      : []),
    ...section(
      'Rows that would not be called',
      ['row', 'value', 'what is wrong'],
      report.rejected.map(({ row, value, message }) => [String(row), textOf(value), textOf(message)]),
      rejected,
    ),
    ...section(
      'Numbers that would be corrected',
      ['row', 'value', 'would be called'],
      report.corrected.map(({ row, value, phoneNumber }) => [String(row), textOf(value), textOf(phoneNumber)]),
      report.recordsCorrected,
    ),
    ...section(
      'Numbers that would be held back',
      ['reason', 'numbers', 'until', 'rows'],
      report.heldBack.map(({ reason, count, until, rows: held }) => [
        ...[textOf(reason), String(count), until === null ? 'for good' : localTime(until)],
        held.join(', ') + (count > held.length ? ', …' : ''),
      ]),
      report.heldBack.length,
    ),
    ...section(
      'Placeholders that nothing fills',
      ['placeholder', 'where'],
      report.unfilledPlaceholders.map(({ placeholder, path }) => [textOf(`{{${placeholder}}}`), textOf(path)]),
      report.unfilledPlaceholders.length,
    ),
    ...columnHint(report),
  ];
}

/** Which columns could fill what nothing fills: mostly the name is the same, but for capitals and spaces. */
function columnHint({ columns, unfilledPlaceholders }: z.infer<typeof Report>): string[] {
  const free = columns.filter((column) => column !== 'phone_number');
  if (free.length === 0 || unfilledPlaceholders.length === 0) return [];
  const squeezed = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const alike = unfilledPlaceholders.flatMap(({ placeholder }) => {
    const column = free.find((each) => squeezed(each) === squeezed(placeholder));
    return column === undefined ? [] : [`--column ${quoted(`${placeholder}=${column}`)}`];
  });
  const example = alike.length > 0 ? [...new Set(alike)].join(' ') : '--column placeholder=header';
  const shown = free.slice(0, mostRows).map((each) => JSON.stringify(each));
  const more = free.length > shown.length ? ', …' : '';
  return [printable(`  The file has ${shown.join(', ')}${more}. To fill them: ${example}`)];
}

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w.=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const hintOf = ({ hint }: z.infer<typeof Report>): string[] => (hint === undefined ? [] : [printable(hint)]);

function timesOf({ valid, startsAt, firstCallAt, estimate }: z.infer<typeof Report>): string[] {
  if (!valid) return [];
  const first = firstCallAt === null ? 'No number could ever be called.' : `First call ${localTime(firstCallAt)}.`;
  return [
    `Starts ${localTime(startsAt)}. ${firstCallAt !== null && firstCallAt > startsAt ? first : firstCallAt === null ? first : ''}`.trim(),
    `Calling each number once takes about ${durationOf(estimate.seconds)} (${printable(estimate.basis.replace(/\.$/, ''))}).`,
    ...costLines(estimate.cost),
  ];
}

const money = (amount: number): string => amount.toLocaleString('en-US', { maximumFractionDigits: amount < 1 ? 6 : 2 });

function costLines(cost: z.infer<typeof Report>['estimate']['cost']): string[] {
  if (cost === undefined) return [];
  const { low, high, currency, withoutPrice, basis } = cost;
  const amount = low === high ? money(low) : `${money(low)} to ${money(high)}`;
  const without = withoutPrice === 0 ? '' : ` ${withoutPrice} numbers have no price: their minutes are not in it.`;
  return [printable(`It costs about ${amount} ${currency} (${basis.replace(/\.$/, '')}).${without}`)];
}

function section(
  title: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  total: number,
): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, mostRows);
  const more = total > shown.length ? [`… and ${total - shown.length} more`] : [];
  return ['', title, ...[...tableOf(titles, shown), ...more].map((line) => `  ${line}`)];
}
