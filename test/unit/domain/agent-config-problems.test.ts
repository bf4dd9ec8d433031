import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validationCodes } from '../../../domain/agent-config/codes.js';
import { validateAgentConfig, validateAgentUpdate } from '../../../domain/agent-config/validate.js';
import { cases, tts } from './agent-config-cases.js';
import { changed, complete, context, minimal } from './agent-config-examples.js';

/** Path and code of every problem, as `path CODE`. */
function problemsOf(input: unknown): string[] {
  const result = validateAgentConfig(input, context);
  return result.ok ? [] : result.problems.map(({ path, code }) => `${path} ${code}`);
}

describe('one mistake is reported with its code at its path, and nothing else is', () => {
  test.each(cases)('%j = %j', (at, value, ...problems) => {
    expect(problemsOf(changed(at, value))).toEqual(problems);
  });
});

// shows: summary.shape
test('the complete example has nothing wrong with it, nor has the least one', () => {
  expect(problemsOf(complete)).toEqual([]);
  expect(problemsOf(minimal)).toEqual([]);
});

// shows: agents.create.all-problems, agents.paths
test('every problem of a config is in one answer, sorted by path', () => {
  const problems = problemsOf({
    zeal: true,
    defaultLanguage: 'french',
    languages: {
      English: { tts: [{ model: 'openai/tts-1' }], wakeUp: { enabled: true } },
      english: { prompt: 'x' },
      xx: 1,
    },
    voiceProcessing: { interruption: { mode: 'vad' } },
  });
  expect(problems).toEqual([
    'defaultLanguage DEFAULT_LANGUAGE_MISSING',
    'languages.English.prompt REQUIRED',
    'languages.English.tts[0].voice VOICE_REQUIRED',
    'languages.English.wakeUp.afterSeconds WAKE_UP_INCOMPLETE',
    'languages.English.wakeUp.message WAKE_UP_INCOMPLETE',
    'languages.english DUPLICATE_LANGUAGE',
    'languages.xx INVALID_TYPE',
    'languages.xx UNKNOWN_LANGUAGE',
    'name REQUIRED',
    'voiceProcessing.vad VAD_REQUIRED',
    'zeal UNRECOGNIZED_KEY',
  ]);
});

// shows: block.greeting, block.end-call, validation.languages-agree
test('a disagreement is reported at every block that differs from the first, and at no block without the object', () => {
  const block = (interruptible?: boolean) => ({
    prompt: 'x',
    ...(interruptible === undefined ? {} : { greeting: { text: 'x', interruptible } }),
  });
  const languages = {
    french: block(),
    english: block(false),
    hindi: block(true),
    german: block(false),
    thai: block(true),
  };
  expect(problemsOf({ name: 'x', languages })).toEqual([
    'languages.hindi.greeting.interruptible LANGUAGES_DISAGREE',
    'languages.thai.greeting.interruptible LANGUAGES_DISAGREE',
  ]);
});

test.each([[], 'x', 5, true])('a body that is %j and no object is one problem at the root', (body) => {
  expect(problemsOf(body)).toEqual([' INVALID_TYPE']);
});

// shows: everywhere.empty-body
test.each([undefined, null, {}])('an empty body (%j) lacks what is required', (body) => {
  expect(problemsOf(body)).toEqual(['languages REQUIRED', 'name REQUIRED']);
});

test('a key called __proto__ is a key like any other', () => {
  const body: unknown = JSON.parse('{"__proto__": 1, "name": "x", "languages": {"__proto__": {"prompt": "x"}}}');
  expect(problemsOf(body)).toEqual(['__proto__ UNRECOGNIZED_KEY', 'languages.__proto__ UNKNOWN_LANGUAGE']);
});

test('nesting without end is a problem and no crash', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(problemsOf(changed(['advanced', 'deep'], deep))).toHaveLength(1);
});

test('messages say where and what in words', () => {
  const result = validateAgentConfig(changed([...tts, 'model'], 'openai/tts-9'), context);
  expect(result).toMatchObject({
    problems: [{ message: expect.stringMatching(/^languages\.English\.tts\[0\]\.model .*gpt-4o-mini-tts/) }],
  });
});

describe('the label of a version', () => {
  test.each([
    ['v2', 'v2'],
    [undefined, 'Updated via API'],
    [null, 'Updated via API'],
    ['v'.repeat(256), 'v'.repeat(256)],
  ])('%j becomes %j and is no part of the config', (versionName, label) => {
    const result = validateAgentUpdate({ ...minimal, versionName }, context);
    expect(result).toMatchObject({ ok: true, versionName: label, config: minimal });
    expect(result).not.toHaveProperty('config.versionName');
  });

  test.each([
    [5, 'INVALID_TYPE'],
    ['v'.repeat(257), 'TOO_LONG'],
  ])('%j is %s beside the problems of the config', (versionName, code) => {
    const result = validateAgentUpdate({ versionName }, context);
    expect(result.ok ? [] : result.problems.map((problem) => problem.code)).toEqual(['REQUIRED', 'REQUIRED', code]);
  });
});

// shows: validation.codes
test('every code but that of malformed JSON has an example here, so none is a dead promise', () => {
  const shown = new Set(cases.flatMap(([, , ...problems]) => problems.map((problem) => problem.split(' ').at(-1))));
  expect([...shown, 'INVALID_JSON', 'TOO_MANY_PROBLEMS'].toSorted()).toEqual(Object.keys(validationCodes).toSorted());
});

// shows: validation.codes-in-docs
test('docs/validation-codes.md has the table of codes as it is', () => {
  const rows = Object.entries(validationCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const documented = readFileSync('docs/validation-codes.md', 'utf8').split('\n');
  const table = documented.filter((line) => line.startsWith('| `')).map((line) => line.replace(/ +/g, ' '));
  expect(table).toEqual(rows);
});
