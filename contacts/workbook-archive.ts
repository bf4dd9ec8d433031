import { repackArchive, UnusableArchive } from '../platform/zip-archive.js';
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

const holdsCells = (fileName: string): boolean => /\.(?:xml|rels)$/i.test(fileName) && !withoutCells.test(fileName);

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
 * Unpacks the parts of an .xlsx file that hold cells and packs them again without compression: its reader has nothing to
 * inflate, however large the archive would become.
 *
 * @throws UnusableFile if the archive is damaged, encrypted, not a workbook, or too large
 */
export async function repackWorkbook(bytes: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const limits = {
    mostBytes: maxUnpackedBytes,
    mostEntries: maxEntries,
    keeps: holdsCells,
    needs: '[Content_Types].xml',
  };
  return repackArchive(bytes, limits).catch((error: unknown) => {
    if (!(error instanceof UnusableArchive)) throw error;
    switch (error.fault) {
      case 'too_large':
        throw tooLargeUnpacked();
      case 'encrypted':
        throw passwordProtected();
      case 'foreign':
        throw damagedWorkbook('it is a ZIP archive of another kind');
      case 'damaged':
        throw damagedWorkbook(error.message);
    }
  });
}
