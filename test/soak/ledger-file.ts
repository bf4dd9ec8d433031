import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { LedgerLine } from '../../telephony/simulator/ledger.js';

/** Reads the carrier's ledger as it grows. */
export interface LedgerFile {
  readonly lines: readonly LedgerLine[];
  /** Takes in what has been written since. */
  read(): void;
}

export function followLedger(path: string): LedgerFile {
  const lines: LedgerLine[] = [];
  let offset = 0;
  let rest = '';
  const block = Buffer.alloc(1 << 20);
  return {
    lines,
    read() {
      if (!existsSync(path)) return;
      const file = openSync(path, 'r');
      try {
        for (;;) {
          const size = readSync(file, block, 0, block.length, offset);
          if (size === 0) break;
          offset += size;
          const parts = (rest + block.toString('latin1', 0, size)).split('\n');
          rest = parts.pop() ?? '';
          // A line that a killed carrier left torn is no line.
          for (const text of parts) if (text.endsWith('}')) lines.push(JSON.parse(text) as LedgerLine);
        }
      } finally {
        closeSync(file);
      }
    },
  };
}
