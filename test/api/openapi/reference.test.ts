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

/** What a command answers: its status, and the beginning of its body. */
interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Examples that stand alone: on a new account they do what they show. */
const standAlone = [
  'POST /v1/agents',
  'POST /v1/tools',
  'POST /v1/knowledge-bases',
  'POST /v1/knowledge-base-folders',
  'POST /v1/do-not-call',
  'POST /v1/account/keys',
  'POST /v1/account/stop-dialing',
  'POST /v1/account/resume-dialing',
  'PUT /v1/account/guardrails',
  'PUT /v1/account/defaults',
  'POST /v2/sip/webhooks',
];

describe.skipIf(curl === undefined)(
  `the commands of docs/api.md, run by a shell (${curl ?? 'curl is not there'})`,
  () => {
    test('each runs as it stands: its operation takes it, and what stands alone does what it shows', async () => {
      const app = await anotherApp({});
      await app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = app.server.address() as AddressInfo;
      const cwd = temporaryFolder('reference');

      const reading = await oneOfEach();
      async function run(heading: string, command: string): Promise<Answered> {
        // What changes or deletes a resource gets one of its own.
        const isShared = heading.startsWith('GET') || !heading.includes('{') || heading.includes('/account/');
        const ids = isShared ? reading : await oneOfEach();
        const named = Object.entries(ids).map(([name, id]) => [name.split('/').at(-1), id]);
        const env = {
          ...(Object.fromEntries(named) as Record<string, string>),
          API: `http://127.0.0.1:${port}`,
          TOKEN: here().me.token,
          PATH: process.env.PATH,
        };
        const measured = command.replace('curl ', "curl --silent --show-error --write-out '\\n%{http_code}' ");
        const { stdout } = await promisify(execFile)('/bin/sh', ['-c', measured], { cwd, env });
        const lines = stdout.trimEnd().split('\n');
        return { status: Number(lines.at(-1)), body: lines.slice(0, -1).join(' ').slice(0, 300) };
      }

      const answered = new Map<string, Answered>();
      // Nothing works once the key of the token is deleted.
      const endsKey = 'DELETE /v1/account/keys/{keyId}';
      const inOrder = [...commands].sort(([a], [b]) => Number(a === endsKey) - Number(b === endsKey));
      for (const [heading, command] of inOrder) answered.set(heading, await run(heading, command));

      const documented = new Map(routesOf(await served()).map(({ name, responses }) => [name, Object.keys(responses)]));
      const unlike = (isFine: (heading: string, answer: Answered) => boolean) =>
        [...answered].filter(([heading, answer]) => !isFine(heading, answer));
      expect(unlike((heading, { status }) => documented.get(heading)?.includes(String(status)) === true)).toEqual([]);
      expect(unlike((_heading, { status }) => ![401, 405, 413, 415, 500, 503].includes(status))).toEqual([]);
      const succeeds = ({ status }: Answered): boolean => status >= 200 && status < 300;
      // No call of theirs was recorded.
      const reads = [...commands.keys()].filter((each) => each.startsWith('GET') && !each.endsWith('/recording'));
      const must = [...standAlone, ...reads];
      expect(
        unlike(
          (heading, answer) =>
            !must.includes(heading) || succeeds(answer) || (answer.status === 409 && !standAlone.includes(heading)),
        ),
      ).toEqual([]);
    }, 300_000);
  },
);
