// Reads one file as api and worker do, and says on stdout what that took of this process, in which nothing else runs.
import { readFileSync } from 'node:fs';
import { contactsOfFile } from '../../../contacts/read-apart.js';
import type { FileExtension } from '../../../contacts/contacts.js';
import { UnusableFile } from '../../../contacts/unusable-file.js';
import { watchOwnCost } from './own-cost.js';

const [path = '', extension] = process.argv.slice(2);

const ownCost = watchOwnCost();

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
process.stdout.write(JSON.stringify({ outcome, largestChunk, ...ownCost(), ...summary() }));
