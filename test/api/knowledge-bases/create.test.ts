import { describe, expect, test } from 'vitest';
import { aFolder } from '../knowledge-base-folders/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';
import { aKnowledgeBase, file, type Part, problemsIn, sendForm } from './support.js';

describe('201', () => {
  const documentOf = async (id: string) => {
    const [row] = await rowsOf<{ kind: string; bytes: Buffer }>(
      'select kind, bytes from knowledge_base_documents where knowledge_base_id = $1',
      [id],
    );
    return row;
  };

  // shows: knowledge.text
  test('a text is taken at once, at status processing, and ordered to be read', async () => {
    const kicks = here().kicks;
    const response = await api.post('/v1/knowledge-bases', { name: 'Hours', text: 'Open from nine to five. 🕘' });

    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      knowledgeBaseId: expect.stringMatching(/^kb_[0-9a-f-]{36}$/),
      name: 'Hours',
      source: 'text',
      status: 'processing',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const { knowledgeBaseId } = response.body as { knowledgeBaseId: string };
    expect((await documentOf(knowledgeBaseId))?.bytes.toString()).toBe('Open from nine to five. 🕘');
    expect(await rowsOf('select kind, name, input from outbox where workflow_id = $1', [knowledgeBaseId])).toEqual([
      { kind: 'start', name: 'ingestKnowledgeBase', input: { accountId: here().me.account.id, knowledgeBaseId } },
    ]);
    expect(here().kicks).toBe(kicks + 1);
  });

  // shows: knowledge.url
  test('a URL is stored, to be fetched', async () => {
    const { body } = await api.post('/v1/knowledge-bases', { name: 'Help', url: 'https://example.com/help' });
    expect(body).toMatchObject({ source: 'url', url: 'https://example.com/help', status: 'processing' });
    expect(await documentOf((body as { knowledgeBaseId: string }).knowledgeBaseId)).toBeUndefined();
  });

  // shows: knowledge.file
  test.each([
    ['returns.txt', 'text'],
    ['README.MD', 'text'],
    ['a.b.html', 'html'],
    ['Rückgabe.pdf', 'pdf'],
    ['returns.docx', 'docx'],
  ])('the file %s is taken as %s, named after itself', async (filename, kind) => {
    const response = await sendForm([file('hello', filename)]);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ name: filename, source: 'file', file: { filename, size: 5 } });
    const { knowledgeBaseId } = response.body as { knowledgeBaseId: string };
    expect(await documentOf(knowledgeBaseId)).toEqual({ kind, bytes: Buffer.from('hello') });
  });

  test('parts of a form come in any order; an empty one counts as left out', async () => {
    const { folderId } = await aFolder();
    const filled = await sendForm([
      { name: 'folderId', value: folderId },
      file('hello'),
      { name: 'name', value: 'Returns' },
    ]);
    expect(filled.body).toMatchObject({ name: 'Returns', folderId });
    const empty = await sendForm([{ name: 'name', value: '' }, { name: 'folderId', value: '' }, file('hello')]);
    expect(empty.status).toBe(201);
    expect(empty.body).toMatchObject({ name: 'returns.txt' });
    expect(empty.body).not.toHaveProperty('folderId');
  });

  // shows: knowledge.10mb
  test('a file of exactly 10 MB, and a text of 500,000 characters, are taken', async () => {
    expect((await sendForm([file(Buffer.alloc(10_485_760, 'a'))])).status).toBe(201);
    await aKnowledgeBase({ text: 'a'.repeat(500_000) });
  });

  test('with an Idempotency-Key it is made once, whatever the boundary of the form is', async () => {
    const headers = { 'idempotency-key': 'kb-1' };
    const [first, second] = [await sendForm([file('hi')], { headers }), await sendForm([file('hi')], { headers })];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  test('who made it is in the audit log, without its text', async () => {
    const { knowledgeBaseId } = await aKnowledgeBase({ name: 'Hours' });
    expect(await rowsOf('select action, details from audit_log where target = $1', [knowledgeBaseId])).toEqual([
      { action: 'knowledge-base.create', details: { name: 'Hours', source: 'text' } },
    ]);
  });
});

describe('400', () => {
  const requested = () => rowsOf('select id from outbox order by id');

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['name REQUIRED']],
    ['neither text nor URL', { name: 'A' }, ['text REQUIRED']],
    ['text and URL', { name: 'A', text: 'a', url: 'https://example.com' }, ['text INVALID_VALUE']],
    ['an empty text', { name: 'A', text: '' }, ['text INVALID_VALUE']],
    ['a text of 500,001 characters', { name: 'A', text: 'a'.repeat(500_001) }, ['text TOO_LONG']],
    ['a text with NUL', { name: 'A', text: 'a\0' }, ['text INVALID_VALUE']],
    ['a name of 257 characters', { name: 'a'.repeat(257), text: 'a' }, ['name TOO_LONG']],
    ['http', { name: 'A', url: 'http://example.com' }, ['url INVALID_URL']],
    ['a private address', { name: 'A', url: 'https://169.254.169.254/latest' }, ['url INVALID_URL']],
    ['localhost', { name: 'A', url: 'https://localhost/' }, ['url INVALID_URL']],
    ['no URL', { name: 'A', url: 'example' }, ['url INVALID_URL']],
    ['an unknown folder', { name: 'A', text: 'a', folderId: 'kbf_none' }, ['folderId INVALID_VALUE']],
    ['an unknown field', { name: 'A', text: 'a', colour: 'red' }, ['colour UNRECOGNIZED_KEY']],
    ['two mistakes', { name: 1, text: 2 }, ['name INVALID_TYPE', 'text INVALID_TYPE']],
  ])('%s is refused, and nothing is stored', async (_what, body, problems) => {
    const before = await requested();
    const response = await api.post('/v1/knowledge-bases', body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ status: 'error' });
    expect(problemsIn(response.body)).toEqual(problems);
    expect(await requested()).toEqual(before);
  });

  test.each<[string, Part[], string[]]>([
    ['without a file', [{ name: 'name', value: 'A' }], ['file REQUIRED']],
    ['with a file that is a text', [{ name: 'file', value: 'hello' }], ['file INVALID_TYPE']],
    ['with an empty file', [file('')], ['file INVALID_VALUE']],
    ['with two files', [file('a'), file('b')], ['file INVALID_VALUE']],
    ['with two names', [file('a'), { name: 'name', value: 'a' }, { name: 'name', value: 'b' }], ['name INVALID_VALUE']],
    ['with a name of 257 characters', [file('a'), { name: 'name', value: 'a'.repeat(257) }], ['name TOO_LONG']],
    ['with a text', [file('a'), { name: 'text', value: 'a' }], ['text UNRECOGNIZED_KEY']],
    ['with an unknown folder', [file('a'), { name: 'folderId', value: 'kbf_none' }], ['folderId INVALID_VALUE']],
  ])('a form %s is refused', async (_what, parts, problems) => {
    const response = await sendForm(parts);
    expect(response.status).toBe(400);
    expect(problemsIn(response.body)).toEqual(problems);
  });

  test('another account’s folder is as unknown as none', async () => {
    const { folderId } = await aFolder();
    const { token } = await anAccount();
    const response = await api.post('/v1/knowledge-bases', { name: 'A', text: 'a', folderId }, { token });
    expect(problemsIn(response.body)).toEqual(['folderId INVALID_VALUE']);
  });
});

describe('409', () => {
  test('of requests with one Idempotency-Key at the same time one is done, the others repeat it or are told to wait', async () => {
    const headers = { 'idempotency-key': 'kb-3' };
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendForm([file('hello')], { headers })));

    const made = responses.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of responses.filter((response) => !made.includes(response))) {
      expect({ status, body }).toEqual({ status: 409, body: { error: expect.stringContaining('still running') } });
    }
  });
});

describe('413', () => {
  // shows: knowledge.10mb
  test('a file of 10,485,761 bytes is refused', async () => {
    const response = await sendForm([file(Buffer.alloc(10_485_761, 'a'))]);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 413,
      body: { error: 'file: is larger than 10 MB (10485760 bytes)' },
    });
  });
});

describe('415', () => {
  // shows: knowledge.file
  test.each(['returns.exe', 'returns.doc', 'returns.xlsx', 'pdf', 'a.pdf.zip'])(
    'the file %s is none that can be read',
    async (filename) => {
      const response = await sendForm([file('hello', filename)]);
      expect({ status: response.status, body: response.body }).toEqual({
        status: 415,
        body: { error: 'The file must be .txt, .md, .html, .pdf or .docx; its name tells which' },
      });
    },
  );
});

describe('422', () => {
  test('an Idempotency-Key is for one content: another file is refused', async () => {
    const headers = { 'idempotency-key': 'kb-2' };
    expect((await sendForm([file('one')], { headers })).status).toBe(201);
    const response = await sendForm([file('two')], { headers });
    expect({ status: response.status, body: response.body }).toEqual({
      status: 422,
      body: { error: expect.any(String) },
    });
  });
});
