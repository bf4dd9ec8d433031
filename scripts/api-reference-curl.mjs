// A curl for each operation, made from the example of its body. Ids are shell variables: `$agentId`, `$batchId`, …

/** Variables by the prefix of the ids they hold. */
const variables = {
  agt: 'agentId',
  ver: 'versionId',
  num: 'phoneNumberId',
  gwi: 'inboundGatewayId',
  gwo: 'outboundGatewayId',
  rule: 'ruleId',
  call: 'callId',
  batch: 'batchId',
  kb: 'knowledgeBaseId',
  kbf: 'folderId',
  tool: 'toolId',
  key: 'keyId',
};
const id = /"([a-z]+)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g;
/** The example of a token: a command needs a real one. */
const exampleToken = /"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g;
const longestLine = 100;

/** Between single quotes for a shell. */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function json(example) {
  const line = JSON.stringify(example);
  const text = line.length > longestLine ? JSON.stringify(example, null, 2) : line;
  return quoted(text)
    .replace(id, (whole, prefix) => (variables[prefix] ? `"'"$${variables[prefix]}"'"` : whole))
    .replace(exampleToken, `"'"$tokenToRevoke"'"`);
}

/** The day of an example would soon be in the past. */
const omittedFields = new Set(['schedule']);

function formOf(example) {
  const { file, ...fields } = Object.fromEntries(Object.entries(example).filter(([name]) => !omittedFields.has(name)));
  const parts = Object.entries(fields).map(([name, value]) => `  --form-string ${quoted(`${name}=${value}`)}`);
  if (file === undefined) return { before: '', parts };
  const [head] = file.split('\n');
  const filename = head.includes('phone_number') ? 'contacts.csv' : 'document.txt';
  const content = quoted(
    file
      .replaceAll('\\', String.raw`\\`)
      .replaceAll('%', '%%')
      .replaceAll('\n', String.raw`\n`),
  );
  return { before: `printf ${content} | `, parts: [`  --form 'file=@-;filename=${filename}'`, ...parts] };
}

/** @returns the lines of a command that runs as it stands with API, TOKEN and the ids set */
export function curlOf(path, method, operation) {
  const address = path.replace(/\{(\w+)\}/g, (_whole, name) => `$${name}`);
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const form = type === 'multipart/form-data' ? formOf(media.example) : { before: '', parts: [] };
  const answers = Object.values(operation.responses).flatMap((answer) => Object.keys(answer.content ?? {}));
  const isFile = answers.some((each) => each.startsWith('audio/'));
  const lines = [
    `${form.before}curl ${method === 'get' ? '' : `--request ${method.toUpperCase()} `}"$API${address}"`,
    '  --header "Authorization: $TOKEN"',
    ...form.parts,
    ...(type === 'application/json'
      ? ["  --header 'Content-Type: application/json'", `  --data ${json(media.example)}`]
      : []),
    ...(isFile ? ['  --output recording.ogg'] : []),
  ];
  return lines.join(' \\\n');
}
