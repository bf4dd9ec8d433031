// Prints what runs of the tests need to have read: where the time went, what was skipped, and last, because only the end
// of a log may be kept, what failed and why. Ends with 1 if anything failed.
//
//   node scripts/test-report.mjs test-results/report.json test-results/report-long.json
//
// Beside them, report-again.json may have a second run of the files that failed (scripts/run-failed-again.mjs). What passes in it
// is listed with its first failure, and does not count as failed.
//
// `broken`, if set, names the steps of .ci/run that failed. Beside the reports lie soak.txt, in which the soak writes what it
// found, and soak.log, the whole of its output.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const slowestFiles = 10;
const linesOfAFailure = 20;
const charactersOfALine = 500;
const linesOfTheSoak = 200;
const lastLinesOfTheSoak = 15;

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} Test
 * @typedef {{ name: string, status: string, message: string, startTime: number, endTime: number, assertionResults: Test[] }} File
 */

/** @typedef {{ testResults: File[], numPassedTests: number, success: boolean }} Report */

const reportPaths = process.argv.slice(2);
/** @type {Report[]} */
const reports = reportPaths.filter(existsSync).map((path) => JSON.parse(readFileSync(path, 'utf8')));
const files = reports.flatMap(({ testResults }) => testResults);
const againPath = join(dirname(reportPaths[0] ?? ''), 'report-again.json');
/** @type {File[]} */
const filesAgain = existsSync(againPath) ? JSON.parse(readFileSync(againPath, 'utf8')).testResults : [];
const nameOf = (/** @type {File} */ file) => relative(process.cwd(), file.name);
const secondsOf = (/** @type {File} */ file) => Math.max(0, file.endTime - file.startTime) / 1000;

/** `test/api/agents/get.test.ts` belongs to `test/api`, `agent/test/turns.test.ts` to `agent/test`. */
const suiteOf = (/** @type {File} */ file) => nameOf(file).split('/').slice(0, 2).join('/');

/** @type {Map<string, { files: number, seconds: number }>} */
const suites = new Map();
for (const file of files) {
  const suite = suites.get(suiteOf(file)) ?? { files: 0, seconds: 0 };
  suites.set(suiteOf(file), { files: suite.files + 1, seconds: suite.seconds + secondsOf(file) });
}
console.log('Seconds per suite, files that run side by side added up:');
for (const [name, { files, seconds }] of [...suites].sort((a, b) => b[1].seconds - a[1].seconds)) {
  console.log(`  ${seconds.toFixed(1).padStart(8)}  ${name} (${files} files)`);
}
console.log('The slowest files, in seconds:');
for (const file of [...files].sort((a, b) => secondsOf(b) - secondsOf(a)).slice(0, slowestFiles)) {
  console.log(`  ${secondsOf(file).toFixed(1).padStart(8)}  ${nameOf(file)}`);
}

const testsOf = (/** @type {File[]} */ files) =>
  files.flatMap((file) => file.assertionResults.map((test) => ({ file, ...test })));
const tests = testsOf(files);
const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
for (const { fullName } of skipped) console.log(`skipped: ${fullName}`);

// A file that cannot be loaded, or whose set-up fails, has no test that failed, and counts as one.
const notLoaded = [...files, ...filesAgain].filter(
  ({ name, status, assertionResults }) =>
    status === 'failed' &&
    !assertionResults.some((test) => test.status === 'failed') &&
    !filesAgain.some((again) => again.name === name && again.status === 'passed'),
);
for (const file of notLoaded) console.log(`not loaded: ${nameOf(file)}\n${file.message}`);

const testsAgain = testsOf(filesAgain);
const passedAgain = new Set(
  testsAgain.filter(({ status }) => status === 'passed').map(({ file, fullName }) => `${file.name}\0${fullName}`),
);
const failures = [...tests, ...testsAgain].filter(({ status }) => status === 'failed');
const isSecondPass = (/** @type {typeof failures[number]} */ { file, fullName }) =>
  passedAgain.has(`${file.name}\0${fullName}`);
const secondPasses = failures.filter(isSecondPass);
const lasting = failures.filter((failure) => !isSecondPass(failure));
for (const failure of [...secondPasses, ...lasting]) {
  const { file, fullName, failureMessages } = failure;
  console.log(`${isSecondPass(failure) ? 'passed in a second run' : 'failed'}: ${nameOf(file)}: ${fullName}`);
  // The first lines say what was expected; a stack of node_modules says nothing.
  const lines = failureMessages
    .join('\n')
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'));
  for (const line of lines.slice(0, linesOfAFailure)) console.log(`  ${line.slice(0, charactersOfALine)}`);
}

/** @returns {string[]} lines of a file beside the report, none if it is missing */
const linesOf = (/** @type {string} */ name) => {
  const path = join(dirname(reportPaths[0] ?? ''), name);
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
};
const broken = (process.env.broken ?? '').split(', ').filter((step) => step !== '');
if (broken.includes('soak')) {
  const found = linesOf('soak.txt');
  console.log('the soak failed:');
  for (const line of found.slice(0, linesOfTheSoak)) console.log(`  ${line.slice(0, charactersOfALine)}`);
  // A soak that was killed, or that never began, tells nothing itself.
  if (!found.some((line) => /^(?:VIOLATION|CRASH) /.test(line))) {
    console.log('the last of its output:');
    for (const line of linesOf('soak.log').slice(-lastLinesOfTheSoak))
      console.log(`  ${line.slice(0, charactersOfALine)}`);
  }
}

if (process.env.broken) console.log(`steps that failed: ${process.env.broken}`);
const missing = reportPaths.filter((path) => !existsSync(path));
for (const path of missing) console.log(`The tests left no ${path}.`);
const failed = lasting.length + notLoaded.length + missing.length;
const passed = reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0);
const inSecondRun = secondPasses.length === 0 ? '' : `${secondPasses.length} passed in a second run, `;
console.log(`${passed} passed, ${inSecondRun}${failed} failed, ${skipped.length} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
