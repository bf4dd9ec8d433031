import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { oneOfEach } from '../one-of-each.js';
import { anotherApp, here } from '../support.js';
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

const curl = ['/usr/bin/curl', '/bin/curl'].find((path) => existsSync(path));

describe.skipIf(curl === undefined)(
  `the commands of docs/api.md, run by a shell (${curl ?? 'curl is not there'})`,
  () => {
    test('each is taken as it stands: it finds its operation, and nothing in it is misunderstood', async () => {
      const app = await anotherApp({});
      await app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = app.server.address() as AddressInfo;
      const cwd = temporaryFolder('reference');
      const statuses: Record<string, string> = {};
      // What deletes comes last: the others need what it deletes.
      const ordered = [...commands].sort(([a], [b]) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')));
      for (const [heading, command] of ordered) {
        const ids = await oneOfEach();
        const names = Object.entries(ids).map(([name, id]) => [name.split('/').at(-1), id]);
        const env = {
          ...Object.fromEntries(names),
          API: `http://127.0.0.1:${port}`,
          TOKEN: here().me.token,
          PATH: process.env.PATH,
        };
        const run = command.replace('curl ', `curl --silent --write-out '\\n%{http_code}' `);
        const { stdout } = await promisify(execFile)('/bin/sh', ['-c', run], { cwd, env });
        const lines = stdout.trimEnd().split('\n');
        statuses[heading] = `${lines.at(-1)} ${lines.slice(0, -1).join(' ').slice(0, 200)}`;
      }
      const failed = Object.entries(statuses).filter(([, status]) => !/^2\d\d /.test(status));
      expect(failed).toEqual([]);
    });
  },
);
