import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

const root = join(import.meta.dirname, '../../..');

interface Compose {
  readonly services: Record<string, { readonly image?: string; readonly build?: unknown }>;
}

/** Runs the script on a copy of the repository's files, with a docker that answers so. */
async function pin(docker: string) {
  const folder = temporaryFolder('pin-images');
  const bin = join(folder, 'bin');
  mkdirSync(join(folder, 'docker'), { recursive: true });
  mkdirSync(bin);
  for (const file of ['docker-compose.yml', 'Dockerfile', 'docker/pin-images.sh'])
    cpSync(join(root, file), join(folder, file));
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\n${docker}\n`);
  chmodSync(join(bin, 'docker'), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}` };
  const ended = await new Promise<{ failed: boolean; stdout: string; stderr: string }>((resolve) => {
    execFile(join(folder, 'docker/pin-images.sh'), [], { env }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    );
  });
  return { ...ended, folder, written: join(folder, 'docker-compose.pinned.yml') };
}

/** As `docker buildx imagetools inspect` prints an image of several platforms: its own digest comes first. */
const answers = `[ "$1 $2 $3" = "buildx imagetools inspect" ] || exit 9
digest=$(printf %s "$4" | sha256sum | cut -d' ' -f1)
printf 'Name:      %s\\nMediaType: application/vnd.oci.image.index.v1+json\\nDigest:    sha256:%s\\n\\nManifests:\\n' "$4" "$digest"
printf '  Name:      x\\n  Digest:    sha256:%064d\\n' 0`;

test('P3-6: every image that comes from a registry is pinned by its digest, and the rest of the services is as it was', async () => {
  const { failed, stderr, stdout, written } = await pin(answers);
  expect({ failed, stderr }).toEqual({ failed: false, stderr: '' });
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
  const fetched = Object.entries(services).filter(([, { build }]) => build === undefined);
  expect(fetched.length).toBeGreaterThan(4);
  const pinned = (parse(readFileSync(written, 'utf8')) as Compose).services;
  expect(Object.keys(pinned).sort()).toEqual(fetched.map(([name]) => name).sort());
  for (const [name, { image }] of fetched) {
    expect(pinned[name]).toEqual({ image: expect.stringMatching(/@sha256:[0-9a-f]{64}$/) });
    expect(pinned[name]?.image).toContain(`${image ?? ''}@`);
    expect(pinned[name]?.image).not.toContain('0'.repeat(64));
  }
  expect(stdout).toMatch(/FROM node:\S+@sha256:[0-9a-f]{64}\n/);
});

test.each([
  ['a registry that does not answer', 'exit 1', 'the registry does not tell of'],
  ['an answer without a digest', 'echo nothing', 'no digest of'],
])('P3-6: %s leaves no file that pins half of the images', async (_case, docker, words) => {
  const { failed, stderr, folder, written } = await pin(docker);
  expect({ failed, stderr }).toEqual({ failed: true, stderr: expect.stringContaining(words) });
  expect(existsSync(written)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes('pinned'))).toEqual([]);
});
