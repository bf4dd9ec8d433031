import { relative } from 'node:path';
import { test, TestRunner } from 'vitest';

/** Unix time in seconds after which no file begins; unset, each does. */
const untilSeconds = Number(process.env.TESTS_BEGIN_UNTIL ?? Infinity);

/** Runs a file only if it is not too late to begin it: otherwise the file is one skipped test, whose name says so. */
export default class BeginInTime extends TestRunner {
  override importFile(filepath: string, source: Parameters<TestRunner['importFile']>[1]): unknown {
    if (source === 'collect' && Date.now() / 1000 > untilSeconds) {
      test.skip(`${relative(process.cwd(), filepath)} has not begun: no time was left`);
      return undefined;
    }
    return super.importFile(filepath, source);
  }
}
