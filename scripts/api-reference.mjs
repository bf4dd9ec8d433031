// Turns the OpenAPI document into a page to read: one section per operation, one row per field.

const nameOf = (ref) => ref.replace(/^#\/components\/\w+\//, '');
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

function typeOf(schema) {
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typeOf).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
  if (schema.type === 'object' && !schema.properties) return 'object';
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
}

function limitsOf(schema) {
  const limits = [
    schema.minimum > Number.MIN_SAFE_INTEGER && `at least ${schema.minimum}`,
    schema.maximum < Number.MAX_SAFE_INTEGER && `at most ${schema.maximum}`,
    schema.minLength > 1 && `at least ${schema.minLength} characters`,
    schema.maxLength && `at most ${schema.maxLength} characters`,
    schema.minItems && `at least ${schema.minItems} entries`,
    schema.maxItems && `at most ${schema.maxItems} entries`,
    schema.default !== undefined && `default \`${JSON.stringify(schema.default)}\``,
  ];
  return limits.filter(Boolean).join(', ');
}

/** Rows of a schema's fields, those of objects inside it under their dotted names. */
function rowsOf(schema, path = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const dotted = path === '' ? name : `${path}.${name}`;
    const required = schema.required?.includes(name) ? 'yes' : '';
    const notes = [field.description, limitsOf(field)].filter(Boolean).join('; ');
    const inner = field.type === 'array' ? rowsOf(field.items ?? {}, `${dotted}[]`) : rowsOf(field, dotted);
    return [`| \`${dotted}\` | ${cell(typeOf(field))} | ${required} | ${cell(notes)} |`, ...inner];
  });
}

const fieldTable = (schema, required = 'Required') => [
  `| Field | Type | ${required} | |`,
  '|---|---|---|---|',
  ...rowsOf(schema),
  '',
];

function requestOf(operation) {
  const parameters = operation.parameters ?? [];
  const table = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `| \`${name}\` | ${place} | ${cell(typeOf(schema))} | ${required ? 'yes' : ''} | ${cell([description, limitsOf(schema)].filter(Boolean).join('; '))} |`,
  );
  const lines =
    table.length === 0 ? [] : ['| Parameter | In | Type | Required | |', '|---|---|---|---|---|', ...table, ''];
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (content === undefined) return lines;
  lines.push(`Body (\`${type}\`)${content.schema.$ref ? `: ${typeOf(content.schema)}` : ':'}`, '');
  return content.schema.properties ? [...lines, ...fieldTable(content.schema)] : lines;
}

/** Statuses that any operation may answer with: told once, at the top. */
const everywhere = ['401', '403', '429', '500', '503'];

function answersOf(operation, { responses }) {
  const own = Object.entries(operation.responses).filter(([status]) => !everywhere.includes(status));
  return own.map(([status, answer]) => {
    const { description, content } = answer.$ref ? responses[nameOf(answer.$ref)] : answer;
    const schema = content?.['application/json']?.schema;
    const inline = schema?.properties
      ? `{${Object.entries(schema.properties)
          .map(([name, field]) => `${name}: ${typeOf(field)}`)
          .join(', ')}}`
      : schema && typeOf(schema);
    return `- \`${status}\` ${description}${inline ? ` ${inline}` : ''}`;
  });
}

/** The reference as Markdown. */
export function referenceOf(document) {
  const lines = [
    '# API reference',
    '',
    'Generated from the schemas that validate requests and answers; `GET /docs` shows the same with a form to try it.',
    '',
    document.info.description,
    '',
    'Besides its own answers any operation may answer 401 (token), 403 (not allowed), 429 and 503 (wait for `Retry-After`',
    'seconds) and 500.',
    '',
  ];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      lines.push(
        `## ${method.toUpperCase()} ${path}`,
        '',
        `**${operation.summary}.** ${operation.description ?? ''}`.trim(),
        '',
      );
      lines.push(...requestOf(operation), ...answersOf(operation, document.components), '');
    }
  }
  lines.push('# Schemas', '');
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    lines.push(`## ${name}`, '');
    if (schema['x-extensible-enum']) lines.push(schema.description, '');
    else lines.push(...(schema.properties ? fieldTable(schema, 'Always') : [`${typeOf(schema)}`, '']));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
