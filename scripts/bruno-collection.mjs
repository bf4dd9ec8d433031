// Turns the OpenAPI document into a collection of Bruno (https://www.usebruno.com): a folder per resource, a file per operation.

/** A value of the document with what it refers to in its place. */
const resolved = (document, value) =>
  value?.$ref === undefined
    ? value
    : value.$ref
        .slice(2)
        .split('/')
        .reduce((place, name) => place[name], document);

/** A block of Bruno's language: lines within braces, two spaces in. */
function block(name, lines) {
  if (lines.length === 0) return '';
  const inner = lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`.trimEnd());
  return `${name} {\n${inner.join('\n')}\n}\n`;
}

/** A value that is not text of Bruno's own: of one line, and no variable. */
const plain = (value) =>
  String(value ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('{{', '{ {')
    .trim();

/** A value for a schema: its own example, or one made of those of its parts, with all that is required. */
function valueOf(document, part) {
  const schema = resolved(document, part);
  const { examples, enum: values, const: only, items, properties, required = [], anyOf, oneOf = anyOf } = schema;
  if (examples !== undefined) return examples[0];
  if (only !== undefined || values !== undefined) return only ?? values[0];
  if (schema.type === 'array') return [valueOf(document, items)];
  if (oneOf !== undefined && properties === undefined) return valueOf(document, oneOf[0]);
  if (schema.type !== 'object' && properties === undefined) return schema.default ?? samples[schema.type];
  const fields = Object.entries(properties ?? {})
    .filter(([name, field]) => required.includes(name) || resolved(document, field).examples !== undefined)
    .map(([name, field]) => [name, valueOf(document, field)]);
  return Object.fromEntries(fields);
}

/** Of required fields that have no example. */
const samples = { string: 'text', integer: 1, number: 1, boolean: true };

/** The example of a body: its own, or one made of its schema. */
const exampleOf = (document, { example, schema }) => example ?? valueOf(document, schema);

function bodyOf(document, operation) {
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return { kind: 'none', text: '' };
  const example = exampleOf(document, media);
  if (type === 'application/json') {
    return { kind: 'json', text: block('body:json', [JSON.stringify(example, null, 2)]) };
  }
  throw new Error(`${operation.operationId}: a body of the type ${type} has no place in the collection yet.`);
}

function requestOf(document, path, method, operation, seq) {
  const parameters = (operation.parameters ?? []).map((each) => resolved(document, each));
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => `${name}: {{${name}}}`);
  // With a ~ Bruno does not send it until it is ticked.
  const inQuery = parameters.filter((each) => each.in === 'query').map(({ name }) => `~${name}:`);
  const body = bodyOf(document, operation);
  const address = `{{url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return [
    block('meta', [`name: ${plain(operation.summary)}`, 'type: http', `seq: ${seq}`]),
    block(method, [`url: ${address}`, `body: ${body.kind}`, 'auth: inherit']),
    block('params:query', inQuery),
    block('params:path', inPath),
    body.text,
    block('docs', [plain(`${operation.operationId}. ${operation.description ?? ''}`).replaceAll(/[{}]/g, '')]),
  ]
    .filter((each) => each !== '')
    .join('\n');
}

const fileName = (text) =>
  plain(text)
    .replaceAll(/[^\w .-]/g, '')
    .trim();

/**
 * The files of the collection by their paths within it.
 *
 * @param {object} document the OpenAPI document
 * @returns {Map<string, string>}
 */
export function collectionOf(document) {
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: 'Outdial', type: 'collection' }, null, 2)}\n`],
    ['collection.bru', `${block('headers', ['authorization: {{token}}'])}\n${block('auth', ['mode: none'])}`],
    [
      'environments/up.bru',
      `${block('vars', ['url: http://127.0.0.1:8080', ...variablesOf(document)])}vars:secret [\n  token\n]\n`,
    ],
  ]);
  const inFolder = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const folder = fileName(operation.tags[0]);
      const seq = (inFolder.get(folder) ?? 0) + 1;
      inFolder.set(folder, seq);
      files.set(`${folder}/${fileName(operation.summary)}.bru`, requestOf(document, path, method, operation, seq));
    }
  }
  return files;
}

/** A variable for each id in a path, to be filled once. */
function variablesOf(document) {
  const names = Object.keys(document.paths).flatMap((path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return [...new Set(names)].sort().map((name) => `${name}:`);
}
