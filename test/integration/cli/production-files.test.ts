import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const secrets = {
  OUTDIAL_DATABASE_PASSWORD: 'database-password-of-this-test',
  OUTDIAL_SERVICE_DATABASE_PASSWORD: 'service-password-of-this-test',
  OUTDIAL_REDIS_PASSWORD: 'redis-password-of-this-test',
  TEMPORAL_DATABASE_PASSWORD: 'temporal-password-of-this-test',
  OUTDIAL_ENCRYPTION_KEYS: 'k1:key-of-this-test',
  OUTDIAL_LIVEKIT_API_KEY: 'APItest',
  OUTDIAL_LIVEKIT_API_SECRET: 'livekit-secret-of-this-test-of-32-characters',
};
const hasCompose = spawnSync('docker-compose', ['version']).status === 0;
const config = (env: Readonly<Record<string, string>>, ...profiles: readonly string[]) =>
  spawnSync(
    'docker-compose',
    [
      ...['--file', join(root, 'docker-compose.yml')],
      ...(profiles.length > 0 ? profiles : ['simulator', 'livekit']).flatMap((profile) => ['--profile', profile]),
      'config',
    ],
    {
      env: { PATH: process.env.PATH, ...env },
      cwd: root,
      encoding: 'utf8',
    },
  );

describe.skipIf(!hasCompose)(
  `docker-compose.yml${hasCompose ? '' : ' (skipped: docker-compose is not installed)'}`,
  () => {
    test('is valid, and starts nothing while a secret is missing', () => {
      expect(config(secrets)).toMatchObject({ status: 0 });
      for (const profile of ['livekit', 'simulator', 'agent', 'tls', 'operator']) {
        expect({ profile, ...config(secrets, profile) }).toMatchObject({ profile, status: 0 });
      }
      for (const missing of Object.keys(secrets)) {
        const rest = Object.fromEntries(Object.entries(secrets).filter(([name]) => name !== missing));
        expect({ missing, ...config(rest) }).toMatchObject({ missing, status: 1 });
      }
    });

    test('agents on a host of their own say what they miss', () => {
      const needed = {
        ...{ OUTDIAL_DATABASE_URL: 'postgres://outdial_service@db.example.com/outdial', OUTDIAL_AGENT_REGION: 'eu' },
        ...{ OUTDIAL_LIVEKIT_URL: 'https://livekit.example.com', OUTDIAL_LIVEKIT_API_KEY: 'APItest' },
        ...{ OUTDIAL_LIVEKIT_API_SECRET: secrets.OUTDIAL_LIVEKIT_API_SECRET, OUTDIAL_ENCRYPTION_KEYS: 'k1:key' },
      };
      const alone = (env: Readonly<Record<string, string>>) =>
        spawnSync('docker-compose', ['--file', join(root, 'docker/agents.yml'), 'config'], {
          ...{ env: { PATH: process.env.PATH, ...env }, cwd: root, encoding: 'utf8' },
        });
      expect(alone(needed)).toMatchObject({ status: 0 });
      for (const missing of Object.keys(needed)) {
        const rest = Object.fromEntries(Object.entries(needed).filter(([name]) => name !== missing));
        const { status, stderr } = alone(rest);
        expect({ missing, status, named: stderr.includes(missing) }).toEqual({ missing, status: 1, named: true });
      }
    });
  },
);

test('images are pinned to an exact version', () => {
  const images = [...compose.matchAll(/^\s+image: (\S+)$/gm), ...dockerfile.matchAll(/^FROM (\S+)/gm)].map(
    ([, image]) => image,
  );
  expect(images.length).toBeGreaterThanOrEqual(10);
  const stages = new Set([...dockerfile.matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, stage]) => stage));
  for (const image of images.filter((each) => !stages.has(each)))
    expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$/);
});

test('every long-running service has a healthcheck, and no file holds a secret', () => {
  const services = compose.slice(compose.indexOf('\nservices:'), compose.indexOf('\nnetworks:'));
  for (const [, name, body] of services.matchAll(/^ {2}([a-z-]+):\n((?: {4}.*\n|\n)+)/gm)) {
    const oneShot = body!.includes('restart: on-failure') || body!.includes("restart: 'no'");
    expect({ name, checked: oneShot || body!.includes('healthcheck:') }).toEqual({ name, checked: true });
  }
  for (const [, value] of compose.matchAll(/(?:PASSWORD|PWD|KEYS|SECRET\w*): (.*)$/gm)) {
    // The store of recordings may know a machine by its role: it needs no secret then.
    if (value === '${AWS_SECRET_ACCESS_KEY:-}') continue;
    expect(value).toMatch(/^'?\$\{[A-Z_]+:\?[^}]+\}(: \$\{[A-Z_]+:\?[^}]+\})?'?$/);
  }
  for (const [, value] of readFileSync(join(root, 'docker/env.example'), 'utf8').matchAll(
    /^\w*(?:PASSWORD|KEYS|SECRET)=(.*)$/gm,
  )) {
    expect(value).toBe('');
  }
});

test('scripts that must be executable are, and parse', () => {
  expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0);
  execFileSync('bash', ['-n', join(root, '.ci/run')]);
  for (const name of readdirSync(join(root, 'docker')).filter((each) => each.endsWith('.sh'))) {
    execFileSync('sh', ['-n', join(root, 'docker', name)]);
  }
});

test('the configuration page is what the settings’ schema says', () => {
  execFileSync(process.execPath, [join(root, 'scripts/write-docs.mjs'), '--check'], { cwd: root, stdio: 'pipe' });
});
