// Turns the OpenAPI document into a page to read: a part per resource, a section per operation, a row per field.
import { curlOf } from './api-reference-curl.mjs';
import { cell, fieldTable, limitsOf, nameOf, typeOf } from './api-reference-fields.mjs';

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
const linkTo = (heading) => `[${heading}](#${anchorOf(heading)})`;

function requestOf(operation) {
  const parameters = operation.parameters ?? [];
  const table = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `| \`${name}\` | ${place} | ${cell(typeOf(schema))} | ${required ? 'yes' : ''} | ${cell([description, limitsOf(schema)].filter(Boolean).join('; '))} |`,
  );
  const lines =
    table.length === 0 ? [] : ['| Parameter | In | Type | Required | |', '|---|---|---|---|---|', ...table, ''];
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  for (const [type, content] of bodies) {
    lines.push(`Body (\`${type}\`)${content.schema.$ref ? `: ${typeOf(content.schema)}` : ':'}`, '');
    if (content.schema.properties) lines.push(...fieldTable(content.schema));
  }
  return lines;
}

const isSuccess = (status) => status.startsWith('2');

function answersOf(operation) {
  return Object.entries(operation.responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, { description, content }]) => {
      const [[type, { schema } = {}] = []] = Object.entries(content ?? {});
      const body = type === 'application/json' ? typeOf(schema) : type && `\`${type}\``;
      return `Answers \`${status}\`${body ? ` with ${body}` : ''}: ${description}`;
    });
}

/** Errors that any operation may answer with. */
const everywhere = ['401', '403', '429', '5XX'];

function errorsOf(operation) {
  const own = Object.keys(operation.responses).filter((status) => !isSuccess(status) && !everywhere.includes(status));
  return own.length === 0
    ? []
    : ['', `Errors: ${own.map((status) => `\`${status}\``).join(', ')} (${linkTo('Errors')})`];
}

function operationLines(path, method, operation) {
  return [
    `### ${method.toUpperCase()} ${path}`,
    '',
    `**${operation.summary}.** ${operation.description ?? ''}`.trim(),
    '',
    ...requestOf(operation),
    ...answersOf(operation),
    ...errorsOf(operation),
    '',
    '```sh',
    curlOf(path, method, operation),
    '```',
    '',
  ];
}

/** Each error once: what it says, and which bodies it can have. */
function errorLines({ paths, components: { responses } }) {
  const found = new Map();
  for (const answers of Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((each) => each.responses),
  )) {
    for (const [status, answer] of Object.entries(answers).filter(([each]) => !isSuccess(each))) {
      const { description, content } = answer.$ref ? responses[nameOf(answer.$ref)] : answer;
      const entry = found.get(status) ?? { words: new Set(), bodies: new Set() };
      found.set(status, entry);
      if (answer.$ref) entry.words.add(description);
      const schema = content?.['application/json']?.schema ?? {};
      for (const each of schema.anyOf ?? [schema]) if (each.$ref) entry.bodies.add(typeOf(each));
    }
  }
  const rows = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '## Errors',
    '',
    `Any operation may answer ${everywhere.join(', ')}; an operation names the others that it has. The body depends on the`,
    'operation: one field says in words what is wrong, and lists of problems name the field.',
    '',
    '| Status | Meaning | Body |',
    '|---|---|---|',
    ...rows.map(
      ([status, { words, bodies }]) => `| \`${status}\` | ${[...words].join(' ')} | ${[...bodies].join(', ')} |`,
    ),
    '',
  ];
}

const codeBlock = (language, text) => [`\`\`\`${language}`, text, '```', ''];

function webhookLines({ webhooks }) {
  const events = Object.entries(webhooks).map(([name, { post }]) => [name, post]);
  const [[, first]] = events;
  return [
    '## Webhooks',
    '',
    'What the service sends to your addresses, by POST. Each body is frozen at the event. Respond with any 2xx; whatever else',
    'comes is tried again for 24 hours, with the same `webhook-id` each time, and redirects are not followed. Verify the',
    'signature with a library of [Standard Webhooks](https://www.standardwebhooks.com) and the secret of',
    '`GET /v1/account/webhook-secret`.',
    '',
    '| Header | |',
    '|---|---|',
    ...first.parameters.map(
      ({ name, description, example }) => `| \`${name}\` | ${description}; such as \`${example}\` |`,
    ),
    '',
    ...events.flatMap(([name, { summary, description, requestBody }]) => {
      const { schema, example } = requestBody.content['application/json'];
      return [
        `### ${name}`,
        '',
        `${summary}. ${description} Body: ${typeOf(schema)}`,
        '',
        ...codeBlock('json', JSON.stringify(example, null, 2)),
      ];
    }),
  ];
}

function schemaLines(name, schema) {
  if (schema['x-extensible-enum']) return [`### ${name}`, '', schema.description, ''];
  const words = schema.description ? [`${schema.description}.`.replace(/\.\.$/, '.'), ''] : [];
  const body = schema.properties ? fieldTable(schema, 'Always') : [...words, `Type: ${typeOf(schema)}`, ''];
  return [`### ${name}`, '', ...body];
}

const introduction = (document) => [
  '# API reference',
  '',
  'Generated from the schemas that validate requests and answers; `GET /docs` shows the same with a form to try it.',
  '',
  document.info.description,
  '',
  'Each operation shows a command for a POSIX shell. Set the address, a token and the ids that it names first; the rest is the',
  'example of its body:',
  '',
  ...codeBlock('sh', 'API=http://127.0.0.1:8080 TOKEN=eyJ… agentId=agt_…'),
];

/** The reference as Markdown. */
export function referenceOf(document) {
  const { tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const count = (name) => operations.filter(({ operation }) => operation.tags.includes(name)).length;
  const lines = [
    ...introduction(document),
    ...tags.map(({ name }) => `- ${linkTo(name)} (${count(name)})`),
    ...['Webhooks', 'Errors', 'Schemas'].map((name) => `- ${linkTo(name)}`),
    '',
    'An agent’s config is [AgentConfig](#agentconfig); each of its languages is a [LanguageBlock](#languageblock).',
    '',
    ...tags.flatMap(({ name, description }) => [
      `## ${name}`,
      '',
      description,
      '',
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .flatMap(({ path, method, operation }) => operationLines(path, method, operation)),
    ]),
    ...webhookLines(document),
    ...errorLines(document),
    '## Schemas',
    '',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => schemaLines(name, schema)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
