import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');

/** The command of each operation and the status that the page promises, by the heading: `POST /v1/agents`. */
export const documented = new Map(
  [...page.matchAll(/^### ((?:GET|POST|PUT|PATCH|DELETE) \S+)$[^]*?^Answers `(\d+)`[^]*?^```sh\n([^]*?)\n```$/gm)].map(
    ([, heading = '', status = '', command = '']) => [heading, { command, status: Number(status) }],
  ),
);
