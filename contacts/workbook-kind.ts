const zipStart = Buffer.from('PK\x03\x04', 'latin1');
const oleStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Whether bytes begin as an .xls file does, and everything else that Office kept in that container. */
export const isOleFile = (bytes: Uint8Array): boolean => oleStart.equals(bytes.subarray(0, oleStart.length));

/** Whether bytes begin as a workbook does, whatever the file is called. */
export const looksLikeWorkbook = (bytes: Uint8Array): boolean =>
  zipStart.equals(bytes.subarray(0, zipStart.length)) || isOleFile(bytes);
