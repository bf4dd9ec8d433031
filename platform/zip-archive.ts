import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** What may be wrong with an archive: too much in it, a password, of another kind than was asked for, or broken. */
export type ArchiveFault = 'too_large' | 'encrypted' | 'foreign' | 'damaged';

/** An archive that is not unpacked. Its message is the library's, for the faults that have one. */
export class UnusableArchive extends Error {
  override readonly name = 'UnusableArchive';
  constructor(
    readonly fault: ArchiveFault,
    message: string = fault,
  ) {
    super(message);
  }
}

export interface ArchiveLimits {
  /** Most bytes that all its entries may unpack to, those that are not kept included. */
  readonly mostBytes: number;
  readonly mostEntries: number;
  /** Which entries are unpacked. */
  readonly keeps: (fileName: string) => boolean;
  /** Entry without which it is an archive of another kind. */
  readonly needs: string;
}

/**
 * Unpacks entries of a ZIP archive and packs them again without compression.
 *
 * Readers of documents inflate whatever they are given, at their own reading of the archive's sizes; after this they have
 * nothing to inflate. The sizes that the archive states are added up before anything is unpacked, and unpacking stops
 * if an entry is larger than stated.
 *
 * @throws UnusableArchive
 */
export async function repackArchive(bytes: Buffer, limits: ArchiveLimits): Promise<Uint8Array<ArrayBuffer>> {
  const archive = await fromBufferPromise(bytes, { autoClose: false }).catch((error: unknown) => {
    throw damaged(error);
  });
  const entries: Entry[] = [];
  let unpackedBytes = 0;
  try {
    if (archive.entryCount > limits.mostEntries) throw new UnusableArchive('too_large');
    for await (const entry of archive.eachEntry()) {
      if (entry.isEncrypted()) throw new UnusableArchive('encrypted');
      unpackedBytes += entry.uncompressedSize;
      if (unpackedBytes > limits.mostBytes) throw new UnusableArchive('too_large');
      if (limits.keeps(entry.fileName)) entries.push(entry);
    }
    if (!entries.some(({ fileName }) => fileName === limits.needs)) throw new UnusableArchive('foreign');
    return await packStored(archive, entries);
  } catch (error) {
    throw damaged(error);
  }
}

const damaged = (error: unknown): UnusableArchive =>
  error instanceof UnusableArchive
    ? error
    : new UnusableArchive('damaged', error instanceof Error ? error.message : String(error));

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
