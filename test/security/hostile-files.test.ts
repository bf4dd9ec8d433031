import { expect, test } from 'vitest';
import { hostileFiles } from './files/hostile.js';
import { judgeReading } from './files/judge-reading.js';

const program = new URL('files/read-one.ts', import.meta.url);

test.each(hostileFiles.filter(({ isSlow }) => !isSlow))(
  'P0-1: reading a hostile file keeps the process below 300 MiB and free for others, and has words for its owner: $extension, $name',
  async ({ extension, make }) => {
    const bytes = make();
    expect(bytes.length).toBeLessThanOrEqual(5_242_880);
    await judgeReading(program, bytes, extension);
  },
);
