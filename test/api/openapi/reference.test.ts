import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { routesOf, served } from './document.js';

const page = readFileSync('docs/api.md', 'utf8');

/** The command below the heading of each operation, by its heading: `POST /v1/agents`. */
const commands = new Map(
  [...page.matchAll(/^### ((?:GET|POST|PUT|PATCH|DELETE) \S+)$[^]*?^```sh\n([^]*?)\n```$/gm)].map(
    ([, heading = '', command = '']) => [heading, command],
  ),
);

test('docs/api.md is made of what is served; `npm run docs:api` writes it', async () => {
  const { referenceOf } = (await import(resolve('scripts/api-reference.mjs'))) as {
    referenceOf: (document: unknown) => string;
  };
  expect(page).toBe(referenceOf(await served()));
});

test('every link inside docs/api.md leads to one of its headings', () => {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
  expect(links.length).toBeGreaterThan(300);
  expect([...new Set(links)].filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

test('every operation has a command, and every event of a webhook a body', async () => {
  const document = await served();
  expect([...commands.keys()].sort()).toEqual(
    routesOf(document)
      .map(({ name }) => name)
      .sort(),
  );
  for (const event of Object.keys(document.webhooks)) {
    const [, body = ''] = new RegExp(`^### ${event}$[^]*?^\`\`\`json\\n([^]*?)\\n\`\`\`$`, 'm').exec(page) ?? [];
    expect(JSON.parse(body)).toEqual(document.webhooks[event]?.post?.requestBody?.content['application/json']?.example);
  }
});

test.each([...commands])('the command of %s is one that a POSIX shell can read', async (_heading, command) => {
  await expect(promisify(execFile)('/bin/sh', ['-n', '-c', command])).resolves.toMatchObject({ stderr: '' });
});
