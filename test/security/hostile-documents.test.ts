import { expect, test } from 'vitest';
import { mostDocumentBytes } from '../../domain/knowledge/document.js';
import { hostileDocuments } from './files/hostile-documents.js';
import { judgeReading } from './files/judge-reading.js';

const program = new URL('files/read-document.ts', import.meta.url);

test.each(hostileDocuments.filter(({ isSlow }) => !isSlow))(
  'P1-3: reading a hostile document keeps the worker below 300 MiB and free for others: $kind, $name',
  async ({ kind, make }) => {
    const bytes = make();
    expect(bytes.length).toBeLessThanOrEqual(mostDocumentBytes);
    await judgeReading(program, bytes, kind);
  },
);
