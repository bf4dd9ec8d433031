import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostBatchFileBytes } from '../../../../domain/batch/form.js';
import { anotherApp, here } from '../../support.js';
import { aRoute, csv, fields, multipart, send, stored } from '../support.js';

describe('413', () => {
  const tooLarge = {
    message: 'The file is larger than 5 MB (5242880 bytes)',
    errors: ['file: is larger than 5 MB (5242880 bytes)'],
  };

  // shows: batch.create.size, limits.file, batch.create.5242880
  test('a file of 5,242,881 bytes is refused, and nothing is stored', async () => {
    const { phoneNumber } = await aRoute();
    const before = await stored();
    const file = csv('x'.repeat(mostBatchFileBytes + 1));

    const response = await send([...fields({ name: 'A', phoneNumber }), file]);

    expect({ status: response.status, body: response.body }).toEqual({ status: 413, body: tooLarge });
    expect(await stored()).toEqual(before);
  });

  // shows: batch.create.streams
  test('it is refused while the upload is still going on, and the client gets to read that', async () => {
    const app = await anotherApp({});
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const { body, contentType } = multipart([csv('x'.repeat(mostBatchFileBytes + 1000))]);

    const upload = request({
      host: '127.0.0.1',
      port,
      path: '/v1/batch-calls',
      method: 'POST',
      headers: { authorization: here().me.token, 'content-type': contentType, 'transfer-encoding': 'chunked' },
    });
    onTestFinished(() => void upload.destroy());
    const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      upload.on('error', reject);
      upload.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
    });
    // The form never ends: only a server that counts as it reads can answer.
    upload.write(body.subarray(0, body.length - 500));
    const { status, text } = await answered;

    expect({ status, body: JSON.parse(text) as unknown }).toEqual({ status: 413, body: tooLarge });
  });
});
