import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RowBlock } from './sheet.js';
import { UnusableFile } from './unusable-file.js';
import { damagedWorkbook, passwordProtected, repackWorkbook } from './workbook-archive.js';
import { cellText, type StoredCell } from './workbook-cells.js';

/** Heap of the reading thread. A 5 MB workbook of bare numbers takes some 120 MB; the worker has to stay below 512 in all. */
const heapMb = 192;

/** How long the thread may take to answer. Reading 5 MB takes it three seconds; a workbook made to keep it busy is given up on. */
const patienceMs = 60_000;

const zipStart = Buffer.from('PK\x03\x04', 'latin1');
const oleStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Whether bytes begin as a workbook does, whatever the file is called. */
export const looksLikeWorkbook = (bytes: Buffer): boolean =>
  bytes.subarray(0, 4).equals(zipStart) || bytes.subarray(0, 8).equals(oleStart);

interface ThreadBlock {
  readonly rows: readonly (readonly StoredCell[])[];
  readonly last: boolean;
}

/**
 * The first sheet of an .xls or .xlsx file as rows. The workbook is read whole, as its format demands, by a thread with
 * limited memory; its rows come over in blocks.
 */
export async function* workbookSheet(bytes: Buffer): AsyncGenerator<RowBlock> {
  if (!looksLikeWorkbook(bytes)) {
    throw new UnusableFile(
      'The file is not an Excel workbook, whatever its name says. If it is a text file, name it .csv; else save it again from Excel.',
    );
  }
  const workbook = bytes.subarray(0, 4).equals(zipStart) ? await repackWorkbook(bytes) : new Uint8Array(bytes);
  const thread = new Worker(new URL('./workbook-thread.mjs', import.meta.url), {
    workerData: workbook,
    transferList: [workbook.buffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    env: {},
    execArgv: [],
  });
  const died = new Promise<never>((_resolve, reject) => thread.on('error', reject));
  let firstRow = 1;
  try {
    for (;;) {
      thread.postMessage('next');
      const patience = AbortSignal.timeout(patienceMs);
      const message: unknown[] = await Promise.race([once(thread, 'message', { signal: patience }), died]);
      const { rows, last } = message[0] as ThreadBlock;
      yield { firstRow, rows: rows.map((cells) => cells.map(cellText)) };
      firstRow += rows.length;
      if (last) return;
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    await thread.terminate();
  }
}

/** The reader throws errors, and now and then mere texts. */
function unreadable(thrown: unknown): UnusableFile {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (error.name === 'AbortError') {
    return new UnusableFile('The workbook takes too long to read. Save its first sheet as CSV and upload that.');
  }
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new UnusableFile('The workbook needs too much memory to read. Save its first sheet as CSV and upload that.');
  }
  return /password|encrypt/i.test(error.message) ? passwordProtected() : damagedWorkbook(error.message.slice(0, 200));
}
