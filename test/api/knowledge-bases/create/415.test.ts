import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { file, sendForm } from '../support.js';

test.each(['text/plain', 'application/pdf', 'application/x-www-form-urlencoded'])(
  '%s is not how a knowledge base is created',
  async (contentType) => {
    const response = await api.post('/v1/knowledge-bases', 'a', { headers: { 'content-type': contentType } });
    expect({ status: response.status, body: response.body }).toEqual({
      status: 415,
      body: { error: expect.any(String) },
    });
  },
);

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
