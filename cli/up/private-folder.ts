import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mustStayOpen } from '../../embedded/postgres.js';

/** All that a data folder holds of ours. */
const ours =
  /^(?:postgres|temporal|logs|bin|sign-in|encryption-keys|(?:demo-)?access\.json|ready\.json|processes\.json|provider|carrier-ledger\.jsonl|up\.lock)/;
const folders = ['logs', 'temporal', 'bin', 'sign-in'];
const files = [
  'carrier-ledger.jsonl',
  'encryption-keys',
  'access.json',
  'demo-access.json',
  'processes.json',
  'provider',
  'up.lock',
];

/**
 * Closes a data folder to others: numbers, tokens, keys and logs are in it. One that was made open, by an earlier version or
 * by hand, is closed now; if it is shared with other things (`--data .`), only what is ours in it.
 */
export function keepPrivate(folder: string): void {
  for (const name of folders) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    chmodSync(join(folder, name), 0o700);
  }
  for (const path of files.map((name) => join(folder, name))) if (existsSync(path)) chmodSync(path, 0o600);
  const shared = readdirSync(folder).some((name) => !ours.test(name));
  const isOwn = statSync(folder).uid === process.getuid?.();
  if (isOwn && !shared && !mustStayOpen()) chmodSync(folder, 0o700);
}
