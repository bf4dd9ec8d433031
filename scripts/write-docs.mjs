// Writes docs/configuration.md from the schema of the settings, and the table of sizes in docs/scaling.md from the sums that
// `outdial doctor` uses. `--check` only says whether they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import prettier from 'prettier';
import { z } from 'zod';
import {
  aboutHours,
  capacityOf,
  hoursOf,
  measured,
  needsOf,
  secondsOfAttempt,
  secondsOfNumber,
} from '../dist/domain/capacity.js';
import { modelProviders } from '../dist/domain/agent/model-catalog.js';
import { Env } from '../dist/platform/env.js';

const path = 'docs/configuration.md';

/** @param {Record<string, unknown>} field JSON Schema of one setting */
function values(field) {
  if (Array.isArray(field.enum)) {
    const words = field.enum.filter((value) => value !== '');
    return words.map((value) => `\`${value}\``).join(', ');
  }
  if (field.type !== 'number' && field.type !== 'integer') return 'text';
  const kind = field.type === 'integer' ? 'whole number' : 'number';
  const most = field.maximum === undefined || field.maximum >= Number.MAX_SAFE_INTEGER ? undefined : field.maximum;
  const least = field.minimum === undefined || field.minimum <= Number.MIN_SAFE_INTEGER ? undefined : field.minimum;
  if (least !== undefined && most !== undefined) return `${kind}, ${least} to ${most}`;
  return least === undefined ? kind : `${kind}, at least ${least}`;
}

const { properties } = z.toJSONSchema(Env, { io: 'input', unrepresentable: 'any' });
const rows = Object.entries(properties).map(([name, field]) => {
  const fallback = field.default === undefined || field.default === '' ? '' : `\`${field.default}\``;
  const words = (field.description ?? '').replaceAll('|', '\\|');
  return `| \`${name}\` | ${words} | ${values(field)} | ${fallback} |`;
});
const keys = modelProviders.flatMap(({ keyVariable }) => (keyVariable === null ? [] : [`\`${keyVariable}\``]));
const page = `# Configuration

Every process reads these environment variables when it starts, and says which of them it cannot use. This page is written
by \`npm run docs\` from \`platform/env.ts\`.

| Variable | Meaning | Values | Default |
| --- | --- | --- | --- |
${rows.join('\n')}

Read by \`outdial up\` and \`outdial demo\` alone, when they look for Temporal (docs/operating.md): \`TEMPORAL_CLI\`, path of
the \`temporal\` program. They use \`TEMPORAL_ADDRESS\` as a server to connect to only if it is set.

The worker also looks whether the service itself has a key for a provider of models (${[...new Set(keys)].join(', ')}):
an agent whose config brings no \`apiKey\` for a model is deployed only if it has. With the simulator none is needed.
`;
const sizesPath = 'docs/scaling.md';
const [begin, end] = ['<!-- sizes: written by npm run docs -->', '<!-- end of sizes -->'];
const slotsOfRows = [2, 4, 8, 16, 40, 100, 200];
const talks = [60, 180];
const numbers = 10_000;

/** As the assumptions of the page have it. */
const costOf = (/** @type {number} */ talkSeconds) => ({
  attempts: 1.3,
  ringSeconds: 15,
  answered: 1 / 3,
  talkSeconds,
});
const figure = (/** @type {number} */ value) =>
  value >= 10 ? String(Math.round(value)) : String(Number(value.toFixed(value < 1 ? 2 : 1)));

function sizes() {
  const titles = [
    ...['Calls at once', 'Agent slots', 'Cores of agents', 'Cores of LiveKit', 'Memory of agents', 'On one machine'],
    ...['Calls a second', ...talks.map((seconds) => `Hours, ${seconds} s of talk`)],
  ];
  const rows = slotsOfRows.map((slots) => {
    const [shorter = 60] = talks;
    const needs = needsOf(slots, costOf(shorter));
    const hours = talks.map((seconds) => {
      const cost = costOf(seconds);
      const gateways = [{ maxConcurrentCalls: slots, callsPerSecond: slots / secondsOfAttempt(cost) }];
      const capacity = capacityOf({ gateways, agentSlots: slots, cores: null }, secondsOfAttempt(cost));
      return aboutHours(hoursOf(numbers * cost.attempts, capacity, secondsOfAttempt(cost)) ?? 0);
    });
    const gb = (/** @type {number} */ mb) => `${(mb / 1000).toFixed(1)} GB`;
    return [
      ...[
        slots,
        slots,
        figure(needs.agentCores),
        figure(needs.liveKitCores),
        gb(needs.agentMb),
        gb(needs.oneMachineMb),
      ],
      ...[figure(needs.callsPerSecond), ...hours],
    ];
  });
  const [shorter, longer] = talks.map((seconds) => costOf(seconds));
  if (shorter === undefined || longer === undefined) throw new Error('There are two lengths of talks.');
  const words = (/** @type {ReturnType<typeof costOf>} */ cost) =>
    `${figure(secondsOfAttempt(cost))} s for an attempt and ${figure(secondsOfNumber(cost))} s for a number`;
  return `| ${titles.join(' | ')} |
|${' --: |'.repeat(titles.length)}
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Hours are those of ${numbers.toLocaleString('en-US')} numbers with the assumptions above: an answered call of ${talks[0]} s makes ${words(shorter)}, one of ${talks[1]} s
${words(longer)}.

- cores of agents: slots × ${measured.coresOfConversation}, if all of them talk; while telephones ring they take next to nothing
- cores of LiveKit and LiveKit SIP, if they are yours: slots × ${measured.coresOfLiveKit}
- memory of agents: ${measured.mbOfAgentWorker} MB for the worker and ${measured.mbOfConversation} MB for each slot; on one machine, as \`outdial up\` has it, ${measured.mbOfService.toLocaleString('en-US')} MB more for worker, Temporal,
  dialer, PostgreSQL and api at their peaks. LiveKit and the system come on top
- calls a second, at which the slots are never idle: slots ÷ seconds of an attempt (${figure(secondsOfAttempt(shorter))} s). A trunk that gives less is the bound
- hours: numbers × seconds of a number ÷ slots ÷ 3,600`;
}

/** @param {string} path @param {string} markdown */
const formatted = async (path, markdown) =>
  prettier.format(markdown, { ...(await prettier.resolveConfig(path)), parser: 'markdown' });
const scaling = readFileSync(sizesPath, 'utf8');
const before = scaling.slice(0, scaling.indexOf(begin) + begin.length);
const after = scaling.slice(scaling.indexOf(end));

const pages = [
  { path, text: await formatted(path, page), from: 'platform/env.ts' },
  {
    path: sizesPath,
    text: await formatted(sizesPath, `${before}\n\n${sizes()}\n\n${after}`),
    from: 'domain/capacity.ts',
  },
];
for (const { path: where, text, from } of pages) {
  if (!process.argv.includes('--check')) {
    writeFileSync(where, text);
  } else if (readFileSync(where, 'utf8') !== text) {
    console.error(`${where} does not match ${from}: run npm run docs.`);
    process.exitCode = 1;
  }
}
