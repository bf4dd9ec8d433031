// Runs the test files that failed once more, one after the other, and writes report-again.json beside the reports. Ends with 1 if
// one fails again, or if so many failed that it is no chance. It takes 15 minutes at most, or `seconds_left` if that is set.
//
//   node scripts/run-failed-again.mjs test-results/report.json test-results/report-long.json
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const mostFiles = 8;
const mostSeconds = Math.min(900, Number(process.env.seconds_left ?? Infinity));

const reportPaths = process.argv.slice(2);
const missing = reportPaths.filter((path) => !existsSync(path));
const files = reportPaths
  .filter(existsSync)
  .flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).testResults)
  .filter(({ status }) => status === 'failed')
  .map(({ name }) => relative(process.cwd(), name));

if (missing.length > 0 || files.length === 0 || files.length > mostFiles) {
  // Without a failed file it was an error outside of all tests, or the tests did not run.
  console.log(`not run again: ${files.length} files failed, ${missing.length} reports are missing`);
  process.exitCode = 1;
} else {
  const { status } = spawnSync(
    'npx',
    [
      ...['vitest', 'run', '--no-file-parallelism'],
      ...[`--outputFile.json=${join(dirname(reportPaths[0] ?? ''), 'report-again.json')}`, ...files],
    ],
    { stdio: 'inherit', timeout: Math.max(1, mostSeconds) * 1000, killSignal: 'SIGTERM' },
  );
  process.exitCode = status ?? 1;
}
