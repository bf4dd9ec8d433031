import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reservedPort } from '../../embedded/free-port.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';

const program = join(import.meta.dirname, '../../dist/cli/main.js');
const isInstalled = existsSync(join(import.meta.dirname, '../../agent/dist/agent/main.js'));
let folder: string;

beforeEach(() => {
  folder = temporaryFolder('missing');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs it with these variables alone. */
const up = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const { PATH = '' } = process.env;
    const all = [program, 'up', '--provider', 'livekit', '--data', join(folder, 'data'), ...args];
    execFile(process.execPath, all, { cwd: folder, env: { PATH, HOME: folder, ...env } }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout + stderr }),
    );
  });

test('without any setting, all that is missing for real calls is said at once with where to get it, and nothing starts', async () => {
  const { code, out } = await up([]);
  expect(code).toBe(2);
  for (const words of [
    ...['✗ OUTDIAL_LIVEKIT_URL: It is not set, and neither is LIVEKIT_URL.', 'https://<project>.livekit.cloud'],
    ...['✗ OUTDIAL_LIVEKIT_API_KEY', '✗ OUTDIAL_LIVEKIT_API_SECRET', 'Settings, Keys'],
    ...[
      '! key of Deepgram: DEEPGRAM_API_KEY',
      '! key of OpenAI: OPENAI_API_KEY',
      '! key of Cartesia: CARTESIA_API_KEY',
    ],
    ...['https://platform.openai.com/api-keys', '! voice: OUTDIAL_DEFAULT_TTS_VOICE'],
    ...['! trunk: there is none yet', 'outdial number create', 'Nothing was started.'],
  ]) {
    expect(out).toContain(words);
  }
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test('with a key of OpenAI alone, it says which settings make that enough', async () => {
  const { out } = await up([], { OPENAI_API_KEY: 'sk-secret' });
  expect(out).toContain('OUTDIAL_DEFAULT_STT=openai/gpt-4o-transcribe OUTDIAL_DEFAULT_TTS=openai/gpt-4o-mini-tts');
  expect(out).not.toContain('key of OpenAI');
  expect(out).not.toContain('sk-secret');
});

test('a setting that cannot be used is named beside what is missing', async () => {
  const { code, out } = await up([], { LIVEKIT_URL: 'livekit.example.com', OUTDIAL_AGENT_SLOTS: 'many' });
  expect(code).toBe(2);
  expect(out).toContain('✗ OUTDIAL_LIVEKIT_API_KEY');
  expect(out).toContain('OUTDIAL_LIVEKIT_URL: Invalid');
  expect(out).toContain('OUTDIAL_AGENT_SLOTS: must be');
});

test('a LiveKit that does not answer is named without its secret, and the exit code says that it may be tried again', async () => {
  const address = `127.0.0.1:${await reservedPort()}`;
  const liveKit = { LIVEKIT_URL: `ws://${address}`, LIVEKIT_API_KEY: 'APIx', LIVEKIT_API_SECRET: 'hidden'.repeat(8) };
  const { code, out } = await up([], liveKit);
  expect(out).toContain(`✗ LiveKit of default: ${address}`);
  expect(out).not.toContain('hiddenhidden');
  expect(code).toBe(isInstalled ? 6 : 2);
});

test('a folder of simulated calls is refused for real ones, so that a trial never rings', async () => {
  mkdirSync(join(folder, 'data/postgres/cluster'), { recursive: true });
  writeFileSync(join(folder, 'data/postgres/cluster/PG_VERSION'), '18');
  const { code, out } = await up([]);
  expect(code).toBe(2);
  expect(out).toContain(`${join(folder, 'data')} holds simulated calls, which must not become real ones.`);
  expect(out).toContain('--data .outdial-livekit');
});

test('--speed, which is of the simulator, is refused', async () => {
  const { code, out } = await up(['--speed', '5']);
  expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('--speed is of the simulated carrier') });
});
