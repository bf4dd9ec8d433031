import { expect, test } from 'vitest';
import { aFolder } from '../../knowledge-base-folders/support.js';
import { api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aKnowledgeBase, file, sendForm } from '../support.js';

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
