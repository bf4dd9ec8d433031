/** How a document of a knowledge base is read. */
export const documentKinds = ['text', 'html', 'pdf', 'docx'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Largest file that is taken, or fetched from a URL: 10 MB. */
export const mostDocumentBytes = 10_485_760;

/** Longest text that is taken as JSON; longer ones come as a file. */
export const mostTextCharacters = 500_000;

const kindByExtension: ReadonlyMap<string, DocumentKind> = new Map([
  ['txt', 'text'],
  ['md', 'text'],
  ['html', 'html'],
  ['pdf', 'pdf'],
  ['docx', 'docx'],
]);

/** Message for a client whose file is of another kind. */
export const documentExtensions = '.txt, .md, .html, .pdf or .docx';

const kindByType: ReadonlyMap<string, DocumentKind> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/plain', 'text'],
  ['text/markdown', 'text'],
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
]);

/** Types that say nothing of what is in a file. */
const untold = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** The kind that a file's name tells, or null. */
export function kindOfName(filename: string): DocumentKind | null {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1]?.toLowerCase();
  return kindByExtension.get(extension ?? '') ?? null;
}

/**
 * The kind of what a server answered, or null if it cannot be read.
 *
 * @param contentType header of the answer, `''` if there is none
 * @param path of the URL, which tells if the type does not
 */
export function kindOfAnswer(contentType: string, path: string): DocumentKind | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return kindByType.get(type) ?? (untold.has(type) ? kindOfName(path) : null);
}
