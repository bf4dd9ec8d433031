import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { fileReaderLimits } from '../../../contacts/read-apart.js';
import { documentReaderLimits } from '../../../knowledge/read-apart.js';
import { readApart, type ReaderLimits } from '../../../platform/reader-process.js';

/** Reads three bytes by a program of this text. @returns the lines of its answer */
function linesBy(program: string, limits: Partial<ReaderLimits>): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'reader-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'reader.mjs');
  writeFileSync(file, program);
  const job = { program: pathToFileURL(file), request: {}, bytes: Buffer.from('abc') };
  return readApart({ ...job, limits: { memoryMiB: 200, cpuSeconds: 20, silenceMs: 60_000, ...limits } });
}

/** The same with a program that answers nothing. */
async function readBy(program: string, limits: Partial<ReaderLimits>): Promise<void> {
  for await (const line of linesBy(program, limits)) throw new Error(`It has answered ${line}.`);
}

test('a reader that hangs is ended, and says nothing about its file', async () => {
  await expect(readBy('setInterval(() => undefined, 1_000)', { silenceMs: 300 })).rejects.toMatchObject({
    name: 'ReaderEnded',
    end: 'lost',
  });
});

test('a reader that computes for longer than it may has a file that takes too long', async () => {
  await expect(readBy('for (;;);', { cpuSeconds: 1 })).rejects.toMatchObject({ name: 'ReaderEnded', end: 'time' });
});

test('a small file is read with the priority of the process that asks; what takes longer makes way for others', async () => {
  const program = `
    import { getPriority } from 'node:os';
    import { serveReader } from ${JSON.stringify(new URL('../../../platform/serve-reader.js', import.meta.url).href)};
    await serveReader(async (request, bytes, answer) => {
      await answer([getPriority()]);
      for (const first = getPriority(); getPriority() === first; );
      await answer([getPriority()]);
    });`;
  const priorities: number[] = [];
  for await (const line of linesBy(program, {})) priorities.push(...(JSON.parse(line) as number[]));
  expect(priorities).toEqual([getPriority(), getPriority() + 5]);
});

test.each([
  ['files', fileReaderLimits],
  ['documents', documentReaderLimits],
])('a machine that is ten times too busy refuses no %s as too long', (_what, { cpuSeconds, silenceMs }) => {
  expect(silenceMs).toBeGreaterThanOrEqual(10 * cpuSeconds * 1_000);
});
