// Reads one document as the worker does, and says on stdout what that took of this process, in which nothing else runs.
import { readFileSync } from 'node:fs';
import type { DocumentKind } from '../../../domain/knowledge-document.js';
import { readDocumentApart } from '../../../knowledge/read-apart.js';
import { UnreadableDocument } from '../../../knowledge/unreadable-document.js';

const [path = '', kind] = process.argv.slice(2);

let blockedMs = 0;
let peakRssBytes = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  blockedMs = Math.max(blockedMs, now - last);
  last = now;
  peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
}, 5).unref();

let outcome = 'read';
try {
  await readDocumentApart(readFileSync(path), kind as DocumentKind);
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error;
  outcome = error.message;
}
process.stdout.write(JSON.stringify({ outcome, blockedMs, peakRssMiB: peakRssBytes / 1024 / 1024 }));
