import {
  beginReading,
  countLostDocumentReader,
  failFetch,
  failReading,
  finishReading,
  giveUpReading,
  type IngestRef,
  storeDocument,
  urlToFetch,
} from '../db/queries/knowledge/ingest.js';
import { mostLosses } from '../db/queries/upkeep/reading-losses.js';
import { documentsToReadFirst } from '../db/queries/upkeep/reading-turns.js';
import { readDocumentApart } from '../knowledge/read-apart.js';
import { UnreadableDocument } from '../knowledge/unreadable-document.js';
import { withHeartbeat } from './heartbeat.js';
import type { ActivityDeps } from './deps.js';
import { fetchDocument, FetchFailed } from './fetch-document.js';
import { isFaultOfWhatWasRead, thisReader } from './reading-try.js';
import { requireTurn } from './reading-turn.js';

const interrupted = 'Reading the document was interrupted again and again. Save it again, or split it.';

/** Activities of the workflow that reads a knowledge base. */
export const knowledgeActivities = ({ database: { db }, fetchOutside }: ActivityDeps) => ({
  /**
   * Fetches the document, if that is still to be done.
   *
   * @param input.lastTry a failure is final even if it may pass
   * @returns `again` if another try may succeed; else the document is there, or the knowledge base says why not
   */
  fetchDocument: (input: IngestRef & { readonly lastTry: boolean }): Promise<'done' | 'again'> =>
    withHeartbeat(async () => {
      const url = await urlToFetch(db, input);
      if (url === null) return 'done';
      try {
        await storeDocument(db, input, await fetchDocument(url, fetchOutside));
      } catch (error) {
        if (!(error instanceof FetchFailed)) throw error;
        if (error.passing && !input.lastTry) return 'again';
        await failFetch(db, input, error.message);
      }
      return 'done';
    }),

  /** Reads the document into passages; if it cannot be read, the knowledge base says why. */
  readDocument: (input: IngestRef): Promise<void> =>
    withHeartbeat(async (signal) => {
      requireTurn(await documentsToReadFirst(db, input.accountId, input.knowledgeBaseId));
      const document = await beginReading(db, input, thisReader);
      if (document === null) return;
      if (document.losses >= mostLosses) {
        await failReading(db, input, interrupted);
        return;
      }
      try {
        await finishReading(db, input, await readDocumentApart(document.bytes, document.kind, signal));
      } catch (error) {
        if (error instanceof UnreadableDocument) {
          await failReading(db, input, error.message);
          return;
        }
        if (isFaultOfWhatWasRead(error)) await countLostDocumentReader(db, input);
        else await giveUpReading(db, input, thisReader).catch(() => undefined);
        throw error;
      }
    }),
});
