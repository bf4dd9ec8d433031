/**
 * What a reader that died counts for. A worker whose try was cut off counts one: it ended or stopped answering, which has other causes
 * more often than what it read, because files and documents are read in processes of their own.
 */
export const lossOfReader = 3;

/** Once so much has been lost over a file or a document, that is taken to be the cause: three readers, or nine workers. */
export const mostLosses = 3 * lossOfReader;
