import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { UnusableFile } from './unusable-file.js';

/**
 * Most bytes that a workbook may unpack to. Sheets compress about tenfold, so 5 MB of real data stay below; a zip bomb of
 * 5 MB reaches gigabytes.
 */
export const maxUnpackedBytes = 64 * 1024 * 1024;

/** A workbook has a few dozen parts. */
const maxEntries = 2_000;

/** Parts that hold no cells. */
const withoutCells =
  /(?:^|\/)(?:META-INF|docProps|customXml|media|drawings|charts|theme|pivot\w*|externalLinks|(?:threadedC|c)omments\d*\.xml)/;

const holdsCells = ({ fileName }: Entry): boolean => /\.(?:xml|rels)$/i.test(fileName) && !withoutCells.test(fileName);

const tooLargeUnpacked = (): UnusableFile =>
  new UnusableFile(
    `The workbook unpacks to more than ${maxUnpackedBytes / 1024 / 1024} MB, which is refused as a zip bomb. ` +
      'Keep only the sheet with the phone numbers, or save it as CSV.',
  );

export const passwordProtected = (): UnusableFile =>
  new UnusableFile(
    'The workbook is encrypted: it is protected by a password. Save it without a password and upload it again.',
  );

export const damagedWorkbook = (detail: string): UnusableFile =>
  new UnusableFile(
    `The file cannot be read as an Excel workbook (${detail}). Open it in Excel and save it again, or save it as CSV.`,
  );

/**
 * Unpacks the parts of an .xlsx file that hold cells and packs them again without compression.
 *
 * The reader of workbooks inflates whatever it is given, at its own reading of the archive's sizes; after this it has
 * nothing to inflate. The sizes that the archive states are added up before anything is unpacked, and unpacking stops
 * where a part is larger than stated.
 *
 * @throws UnusableFile where the archive is damaged, encrypted, not a workbook, or too large
 */
export async function repackWorkbook(bytes: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const archive = await fromBufferPromise(bytes, { autoClose: false }).catch((error: unknown) => {
    throw damaged(error);
  });
  const entries: Entry[] = [];
  let unpackedBytes = 0;
  try {
    if (archive.entryCount > maxEntries) throw tooLargeUnpacked();
    for await (const entry of archive.eachEntry()) {
      if (entry.isEncrypted()) throw passwordProtected();
      unpackedBytes += entry.uncompressedSize;
      if (unpackedBytes > maxUnpackedBytes) throw tooLargeUnpacked();
      if (holdsCells(entry)) entries.push(entry);
    }
    if (!entries.some(({ fileName }) => fileName === '[Content_Types].xml'))
      throw damagedWorkbook('it is a ZIP archive of another kind');
    return await packStored(archive, entries);
  } catch (error) {
    throw damaged(error);
  }
}

const damaged = (error: unknown): UnusableFile =>
  error instanceof UnusableFile ? error : damagedWorkbook(error instanceof Error ? error.message : String(error));

const localHeaderBytes = 30;
const centralHeaderBytes = 46;
const endRecordBytes = 22;

/** Writes a ZIP archive whose entries are stored as they are (APPNOTE.TXT, 4.3). Checksums are left zero: nothing reads them. */
async function packStored(archive: ZipFile, entries: readonly Entry[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts = entries.map((entry) => ({ entry, name: Buffer.from(entry.fileName) }));
  const size = parts.reduce(
    (sum, { entry, name }) => sum + localHeaderBytes + centralHeaderBytes + 2 * name.length + entry.uncompressedSize,
    endRecordBytes,
  );
  const zip = Buffer.from(new ArrayBuffer(size));
  let end = 0;
  const directory: Buffer[] = [];
  for (const { entry, name } of parts) {
    const central = Buffer.alloc(centralHeaderBytes);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 6); // version needed to extract
    central.writeUInt32LE(entry.uncompressedSize, 20);
    central.writeUInt32LE(entry.uncompressedSize, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(end, 42);
    directory.push(central, name);

    zip.writeUInt32LE(0x04034b50, end);
    central.copy(zip, end + 4, 6, 32); // a local header repeats these fields of the central one
    end += localHeaderBytes;
    end += name.copy(zip, end);
    for await (const chunk of await archive.openReadStreamPromise(entry)) end += Buffer.from(chunk).copy(zip, end);
  }
  const directoryStart = end;
  for (const piece of directory) end += piece.copy(zip, end);
  zip.writeUInt32LE(0x06054b50, end);
  zip.writeUInt16LE(parts.length, end + 8);
  zip.writeUInt16LE(parts.length, end + 10);
  zip.writeUInt32LE(end - directoryStart, end + 12);
  zip.writeUInt32LE(directoryStart, end + 16);
  return new Uint8Array(zip.buffer);
}
