// Reads one file as api and worker do, and says on stdout what that took of this process, in which nothing else runs.
import { readFileSync } from 'node:fs';
import { contactsOfFile } from '../../../contacts/read-apart.js';
import type { FileExtension } from '../../../contacts/contacts.js';
import { UnusableFile } from '../../../contacts/unusable-file.js';

const [path = '', extension] = process.argv.slice(2);

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
let largestChunk = 0;
const { chunks, summary } = contactsOfFile(readFileSync(path), extension as FileExtension, {
  duplicates: 'call',
  missingPlus: 'reject',
});
try {
  for await (const { recipients } of chunks) largestChunk = Math.max(largestChunk, recipients.length);
} catch (error) {
  if (!(error instanceof UnusableFile)) throw error;
  outcome = error.message;
}
process.stdout.write(
  JSON.stringify({ outcome, largestChunk, blockedMs, peakRssMiB: peakRssBytes / 1024 / 1024, ...summary() }),
);
