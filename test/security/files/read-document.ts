// Reads one document as the worker does, and says on stdout what that took of this process, in which nothing else runs.
import { readFileSync } from 'node:fs';
import type { DocumentKind } from '../../../domain/knowledge/document.js';
import { readDocumentApart } from '../../../knowledge/read-apart.js';
import { UnreadableDocument } from '../../../knowledge/unreadable-document.js';
import { watchOwnCost } from './own-cost.js';

const [path = '', kind] = process.argv.slice(2);

const ownCost = watchOwnCost();

let outcome = 'read';
try {
  await readDocumentApart(readFileSync(path), kind as DocumentKind);
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error;
  outcome = error.message;
}
process.stdout.write(JSON.stringify({ outcome, ...ownCost() }));
