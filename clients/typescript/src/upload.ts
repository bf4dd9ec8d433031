import { openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { FormDataEncoder } from 'form-data-encoder';

/**
 * A file to send: its path, a `Blob` or `File`, or a stream with the name that says what it is. Neither a path nor a stream is
 * ever in memory as a whole; a stream can be sent only once, so that such a request is not tried again.
 */
export type Upload = string | File | { readonly name: string; readonly content: Blob | AsyncIterable<Uint8Array> };

/** Values of a form: what is no text is sent as JSON. */
export type FormFields = Readonly<Record<string, unknown>>;

interface Sent {
  readonly body: FormData | ReadableStream;
  readonly headers?: Record<string, string>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isText = (entry: readonly [string, unknown]): boolean => entry[1] !== undefined && entry[1] !== null;

/** @throws of the file system, such as ENOENT: openAsBlob says neither what is wrong nor with which file */
async function blobAt(path: string): Promise<Blob> {
  const opened = await open(path);
  try {
    if ((await opened.stat()).isFile()) return await openAsBlob(path);
  } finally {
    await opened.close();
  }
  throw new TypeError(`${path} is no file. What can be read only once is given as { name, content }.`);
}

async function blobOf(upload: string | File | { readonly name: string; readonly content: Blob }) {
  if (typeof upload === 'string') return { name: basename(upload), blob: await blobAt(upload) };
  if (upload instanceof File) return { name: upload.name, blob: upload };
  return { name: upload.name, blob: upload.content };
}

/** A file as `FormDataEncoder` takes it; its size is not known before it has been sent. */
const streamedFile = (name: string, content: AsyncIterable<Uint8Array>) => ({
  name,
  type: 'application/octet-stream',
  lastModified: Date.now(),
  stream: () => content,
  [Symbol.toStringTag]: 'File',
});

function streamedForm(entries: readonly [string, unknown][]): Sent {
  const form = {
    append: () => undefined,
    getAll: () => [],
    entries: () => entries[Symbol.iterator](),
    [Symbol.iterator]: () => entries[Symbol.iterator](),
    [Symbol.toStringTag]: 'FormData',
  };
  const encoder = new FormDataEncoder(form as never);
  return {
    body: Readable.toWeb(Readable.from(encoder)) as ReadableStream,
    headers: { 'content-type': encoder.contentType },
  };
}

/** A form with fields and a file, as the body of a request. */
export async function formWith(upload: Upload, fields: FormFields): Promise<Sent> {
  const texts = Object.entries(fields)
    .filter(isText)
    .map(([name, value]): [string, string] => [name, textOf(value)]);
  if (typeof upload === 'object' && 'content' in upload && !(upload.content instanceof Blob)) {
    return streamedForm([...texts, ['file', streamedFile(upload.name, upload.content)]]);
  }
  const body = new FormData();
  for (const [name, text] of texts) body.append(name, text);
  const { name, blob } = await blobOf(upload as Parameters<typeof blobOf>[0]);
  body.append('file', blob, name);
  return { body };
}
