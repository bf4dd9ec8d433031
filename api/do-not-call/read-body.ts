import type { FastifyRequest } from 'fastify';
import type { UnreadNumber } from '../../contacts/read-numbers.js';
import { numbersOfFile } from '../../contacts/read-apart.js';
import { UnusableFile } from '../../contacts/unusable-file.js';
import { batchFileExtension } from '../../domain/batch/form.js';
import type { Problem } from '../../domain/errors.js';
import { e164Problem } from '../../domain/phone/phone-number.js';
import { mostProblems } from '../../domain/input/problem-limit.js';
import { takeReading } from '../file-turns.js';
import { readFormParts, type FormParts } from '../batch-calls/form-parts.js';
import { invalidRequest, parseWith, readJson, valueAt } from '../validation.js';
import { AddToDoNotCall, mostRejectedRows } from './schema.js';

/** A request to add numbers, without fault in itself. */
export interface NumbersToAdd {
  /** E.164, each once. */
  readonly numbers: readonly string[];
  readonly reason: string | null;
  readonly rejected: number;
  readonly rejectedRows: readonly UnreadNumber[];
  /** What makes two requests the same; multipart boundaries differ from one try to the next. */
  readonly content: unknown;
}

const formFields = new Set(['reason', 'missingPlus']);
const mostReason = 500;
const unstorable = /\0|\p{Surrogate}/u;

function formProblems({ texts, repeated, filename }: FormParts): Problem[] {
  const problems: Problem[] = [];
  const wrong = (path: string, code: string, message: string) => problems.push({ path, code, message });
  for (const path of repeated) wrong(path, 'INVALID_VALUE', 'must be sent only once');
  for (const [field, text] of texts) {
    if (field === 'file') wrong('file', 'INVALID_TYPE', 'must be sent as a file, with a filename');
    else if (!formFields.has(field)) wrong(field, 'UNRECOGNIZED_KEY', 'is not a known field');
    else if (unstorable.test(text)) wrong(field, 'INVALID_VALUE', 'must not contain NUL or broken characters');
    else if (field === 'reason' && text.trim().length > mostReason) {
      wrong(field, 'TOO_LONG', `must have at most ${mostReason} characters`);
    } else if (field === 'missingPlus' && !['', 'reject', 'add'].includes(text)) {
      wrong(field, 'INVALID_VALUE', 'must be one of: reject, add');
    }
  }
  if (filename === null && !texts.has('file')) wrong('file', 'REQUIRED', 'is required: a .csv, .xls or .xlsx file');
  if (filename !== null && batchFileExtension(filename) === null) {
    wrong('file', 'INVALID_VALUE', 'must be a .csv, .xls or .xlsx file');
  }
  return problems;
}

async function readForm({ raw, caller, uploadPlace: place }: FastifyRequest): Promise<NumbersToAdd> {
  const parts = await readFormParts(raw, { place });
  const problems = formProblems(parts);
  if (problems.length > 0) throw invalidRequest(problems);
  const { texts, bytes, sha256 } = parts;
  const extension = batchFileExtension(parts.filename ?? '') ?? 'csv';
  const missingPlus = texts.get('missingPlus') === 'add' ? 'add' : 'reject';
  const reason = (texts.get('reason') ?? '').trim() || null;
  try {
    const { numbers, rejected, firstRejected } = await takeReading(caller?.accountId ?? '', () =>
      numbersOfFile(bytes, extension, { missingPlus, mostListed: mostRejectedRows }),
    );
    const content = [reason, missingPlus, extension, sha256];
    return { numbers, reason, rejected, rejectedRows: firstRejected, content };
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    throw invalidRequest([{ path: 'file', code: 'INVALID_VALUE', message: error.message }]);
  }
}

/** What is wrong with the numbers, found without the schema: that would describe every one of 100,000. */
function numberProblems(body: unknown): Problem[] {
  const numbers = valueAt(body, ['phoneNumbers']);
  const problems: Problem[] = [];
  for (const [index, number] of Array.isArray(numbers) ? numbers.entries() : []) {
    if (problems.length > mostProblems) break;
    const message = typeof number === 'string' ? e164Problem(number) : 'must be a string';
    const code = typeof number === 'string' ? 'INVALID_VALUE' : 'INVALID_TYPE';
    if (message !== null) problems.push({ path: `phoneNumbers[${index}]`, code, message });
  }
  return problems;
}

function readNumbersOfJson({ body }: FastifyRequest): NumbersToAdd {
  const problems = numberProblems(body);
  if (problems.length > mostProblems) throw invalidRequest(problems);
  const json = readJson(body);
  const parsed = 'value' in json ? parseWith(AddToDoNotCall, json.value) : json;
  if ('problems' in parsed) throw invalidRequest(parsed.problems);
  const { phoneNumbers, reason = null } = parsed.value;
  return { numbers: [...new Set(phoneNumbers)], reason, rejected: 0, rejectedRows: [], content: parsed.value };
}

/**
 * Reads the numbers that are to go on the list, from JSON or from a file in a form.
 *
 * @throws Failure `invalid` with what is wrong, `too_large`
 */
export async function readNumbersToAdd(request: FastifyRequest): Promise<NumbersToAdd> {
  const isForm = request.headers['content-type']?.trim().toLowerCase().startsWith('multipart/form-data') === true;
  return isForm ? readForm(request) : readNumbersOfJson(request);
}
