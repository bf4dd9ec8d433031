// The program of the process that reads documents; `read-apart.ts` starts it for each document.
import type { DocumentKind } from '../domain/knowledge/document.js';
import { serveReader } from '../platform/serve-reader.js';
import { detectLanguage } from './detect-language.js';
import { extractText } from './extract-text.js';
import type { DocumentAnswer } from './read-apart.js';
import { splitPassages } from './split-passages.js';
import { UnreadableDocument } from './unreadable-document.js';

/** Characters of a line, about: a few milliseconds of work for its parser. */
const lineCharacters = 512 * 1024;

await serveReader(async (request, bytes, send) => {
  const { kind } = request as { readonly kind: DocumentKind };
  const answer = (line: DocumentAnswer): Promise<void> => send(line);
  try {
    const text = await extractText(bytes, kind);
    await answer({ language: detectLanguage(text) });
    for (let from = 0; from < text.length; from += lineCharacters) {
      await answer({ text: text.slice(from, from + lineCharacters) });
    }
    let passages: string[] = [];
    let characters = 0;
    for (const passage of splitPassages(text)) {
      passages.push(passage);
      characters += passage.length;
      if (characters < lineCharacters) continue;
      await answer({ passages });
      passages = [];
      characters = 0;
    }
    await answer({ passages });
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    await answer({ unreadable: error.message });
  }
});
