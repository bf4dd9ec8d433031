// Reads a workbook in a thread of its own, whose memory is limited: a hostile file ends this thread and not the worker.
// Plain JavaScript, so that the same file runs from the sources and from the build. It posts cells as they are stored,
// never as they are shown (a shown 9.19877E+11 has lost its digits); workbook-sheet.ts makes text of them.
import { Buffer } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import * as XLSX from 'xlsx';
import * as codepages from 'xlsx/dist/cpexcel.full.mjs';

XLSX.set_cptable(codepages); // .xls files from before 1997 name their text's encoding

const rowsPerBlock = 2000;

/** One more than the columns that a file may have. A sheet can have 16,384, and each row is sent without gaps. */
const widest = 201;

/** A cell as it travels: text as a string, a number or a boolean as itself, a date as its serial number. */
function cellValue(cell, date1904) {
  if (cell === undefined || cell.v === undefined || cell.v === null || cell.t === 'z') return '';
  if (cell.t === 'e') return { error: cell.v };
  if (cell.t === 'n' && XLSX.SSF.is_date(cell.z))
    return { serial: cell.v, date1904, elapsed: /\[[hms]+\]/i.test(cell.z) };
  return cell.v;
}

/** A row without gaps. Data beyond the widest sheet is shown in its last column, where it is refused. */
function rowValues(row, date1904) {
  const values = Array.from(row.slice(0, widest), (cell) => cellValue(cell, date1904));
  if (row.length > widest) {
    const beyond = Object.values(row.slice(widest)).find((cell) => cellValue(cell, date1904) !== '');
    if (beyond !== undefined) values[widest - 1] ||= cellValue(beyond, date1904);
  }
  return values;
}

function open() {
  const bytes = Buffer.from(workerData.buffer, workerData.byteOffset, workerData.length);
  if (bytes[0] === 0xd0 && XLSX.CFB.find(XLSX.CFB.read(bytes, { type: 'buffer' }), 'EncryptedPackage')) {
    throw new Error('encrypted package');
  }
  const workbook = XLSX.read(bytes, {
    type: 'buffer',
    dense: true,
    sheets: 0,
    cellText: false,
    cellHTML: false,
    cellFormula: false,
    cellNF: true,
  });
  return {
    rows: workbook.Sheets[workbook.SheetNames[0]]?.['!data'] ?? [],
    date1904: workbook.Workbook?.WBProps?.date1904 === true,
  };
}

const sheet = open();
let next = 0;
parentPort.on('message', () => {
  const rows = [];
  for (; next < sheet.rows.length && rows.length < rowsPerBlock; next += 1) {
    rows.push(rowValues(sheet.rows[next] ?? [], sheet.date1904));
    delete sheet.rows[next];
  }
  parentPort.postMessage({ rows, last: next >= sheet.rows.length });
});
