import { setImmediate } from 'node:timers/promises';
import * as XLSX from 'xlsx';
import * as codepages from 'xlsx/dist/cpexcel.full.mjs';
import { isOutOfMemory } from '../platform/serve-reader.js';
import type { RowBlock, SheetNames } from './sheet.js';
import { UnusableFile } from './unusable-file.js';
import { damagedWorkbook, passwordProtected, repackWorkbook } from './workbook-archive.js';
import { cellText, type StoredCell, unsaved } from './workbook-cells.js';
import { hasUnsavedFormula } from './workbook-formulas.js';
import { isOleFile } from './workbook-kind.js';

XLSX.set_cptable(codepages); // .xls files from before 1997 name their text's encoding

const rowsPerBlock = 1_000;

/** Sheets that are opened to find one of cells: charts may be before it, and each costs a reading of the file. */
const mostOpened = 8;

/** One more than the columns that a file may have. A sheet can have 16,384, and each row is handed over without gaps. */
const widest = 201;

type Row = readonly (XLSX.CellObject | undefined)[];

/** A cell as it is stored, never as it is shown: a shown 9.19877E+11 has lost its digits. */
function storedCell(cell: XLSX.CellObject | undefined, date1904: boolean): StoredCell {
  if (cell?.t === 'z' && cell.f !== undefined) return unsaved;
  if (cell?.v === undefined || cell.t === 'z') return '';
  if (cell.t === 'e') return { error: Number(cell.v) };
  if (typeof cell.v === 'number' && typeof cell.z === 'string' && isDate(cell.z)) {
    return { serial: cell.v, date1904, elapsed: /\[[hms]+\]/i.test(cell.z) };
  }
  return cell.v instanceof Date ? cell.v.toISOString() : cell.v;
}

const isEmpty = (cell: StoredCell): boolean => cell === '' || cell === unsaved;

/** The part of the library that its own types leave open. */
interface Formats {
  readonly is_date: (format: string) => boolean;
}
const formats = XLSX.SSF as Formats;
const dateFormats = new Map<string, boolean>();

function isDate(format: string): boolean {
  const known = dateFormats.get(format);
  if (known !== undefined) return known;
  const found = formats.is_date(format);
  dateFormats.set(format, found);
  return found;
}

/** A row without gaps. Data beyond the widest sheet is shown in its last column, which is refused. */
function rowTexts(row: Row, date1904: boolean): string[] {
  const texts = Array.from(row.slice(0, widest), (cell) => cellText(storedCell(cell, date1904)));
  if (row.length > widest) {
    const beyond = Object.values(row.slice(widest)).find((cell) => !isEmpty(storedCell(cell, date1904)));
    if (beyond !== undefined) texts[widest - 1] ||= cellText(storedCell(beyond, date1904));
  }
  return texts;
}

interface ContainerFunctions {
  readonly read: (bytes: Uint8Array, options: { type: 'buffer' }) => object;
  readonly find: (container: object, path: string) => object | null;
}

interface Opened {
  readonly rows: (Row | undefined)[];
  readonly date1904: boolean;
  readonly sheets?: SheetNames;
}

function open(bytes: Uint8Array): Opened {
  const container = XLSX.CFB as ContainerFunctions;
  if (isOleFile(bytes) && container.find(container.read(bytes, { type: 'buffer' }), 'EncryptedPackage') !== null) {
    throw passwordProtected();
  }
  const { workbook, place, shown } = firstShown(bytes);
  const rows = sheetAt(workbook, place)?.['!data'] ?? [];
  const nameOf = (at: number): string => workbook.SheetNames[at] ?? '';
  const others = shown.filter((at) => at !== place).map(nameOf);
  return {
    ...{ rows, date1904: workbook.Workbook?.WBProps?.date1904 === true },
    ...(others.length > 0 ? { sheets: { read: nameOf(place), others } } : {}),
  };
}

const readSheet = (bytes: Uint8Array, place: number, withFormulas: boolean): XLSX.WorkBook =>
  XLSX.read(bytes, {
    type: 'buffer',
    dense: true,
    sheets: place,
    cellText: false,
    cellHTML: false,
    cellFormula: withFormulas,
    sheetStubs: withFormulas,
    cellNF: true,
  });

const sheetAt = (workbook: XLSX.WorkBook, place: number): XLSX.WorkSheet | undefined =>
  workbook.Sheets[workbook.SheetNames[place] ?? ''];

/**
 * The first sheet of cells that spreadsheet programs show, in the workbook read with it: who sends a file means the people that
 * are to be seen in it, and never those of a hidden sheet before them. If none is shown, the first of all.
 */
function firstShown(bytes: Uint8Array): {
  readonly workbook: XLSX.WorkBook;
  readonly place: number;
  readonly shown: readonly number[];
} {
  const withFormulas = !isOleFile(bytes) && hasUnsavedFormula(bytes);
  const first = readSheet(bytes, 0, withFormulas);
  const shown = [...first.SheetNames.keys()].filter((place) => (first.Workbook?.Sheets?.[place]?.Hidden ?? 0) === 0);
  for (const place of shown.slice(0, mostOpened)) {
    const workbook = place === 0 ? first : readSheet(bytes, place, withFormulas);
    const sheet = sheetAt(workbook, place);
    if (sheet !== undefined && sheet['!type'] !== 'chart') return { workbook, place, shown };
  }
  return { workbook: first, place: 0, shown };
}

/**
 * The first sheet that is shown of an .xls or .xlsx file as rows. The workbook is read whole, as its format demands, so this belongs into
 * a process whose memory is limited.
 */
export async function* workbookSheet(bytes: Buffer): AsyncGenerator<RowBlock> {
  const workbook = isOleFile(bytes) ? bytes : Buffer.from((await repackWorkbook(bytes)).buffer);
  const sheet = opened(workbook);
  for (let next = 0; next === 0 || next < sheet.rows.length;) {
    const rows: string[][] = [];
    const firstRow = next + 1;
    for (; next < sheet.rows.length && rows.length < rowsPerBlock; next += 1) {
      rows.push(rowTexts(sheet.rows[next] ?? [], sheet.date1904));
      sheet.rows[next] = undefined;
    }
    yield { firstRow, rows, ...(firstRow === 1 && sheet.sheets !== undefined ? { sheets: sheet.sheets } : {}) };
    if (rows.length === 0) return;
    await setImmediate();
  }
}

function opened(bytes: Uint8Array): Opened {
  try {
    return open(bytes);
  } catch (error) {
    throw unreadable(error);
  }
}

/** The reader throws errors, and now and then mere texts. */
function unreadable(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error instanceof UnusableFile || isOutOfMemory(error.message)) return error;
  if (/password|encrypt/i.test(error.message)) return passwordProtected();
  // A slip of the reader over what it did not expect: its words are about our code, not about the file.
  const isSlip = error instanceof TypeError || error instanceof RangeError;
  return damagedWorkbook(isSlip ? 'it is damaged' : error.message.slice(0, 200));
}
