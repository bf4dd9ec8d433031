import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { formOfJson } from '../../domain/batch/form-json.js';
import { mostBatchFileBytes } from '../../domain/batch/form.js';
import {
  languageProblems,
  mostRecipients,
  readRecipients,
  type RecipientInput,
} from '../../domain/batch/recipients.js';
import { invalid } from '../../domain/errors.js';
import { property } from '../../domain/input/json-value.js';
import { agentTexts, type Talking } from '../../db/queries/agents/texts.js';
import type { Db } from '../../db/client.js';
import { readJson } from '../validation.js';
import { type FormParts, readFormParts } from './form-parts.js';

/** What create was sent: a form with a file, or JSON with recipients, which are kept in place of a file. */
export interface SentBatch extends FormParts {
  /** Of JSON; null: they are in the file. */
  readonly recipients: readonly RecipientInput[] | null;
}

/** Largest JSON body of create and of adding recipients, and most values in it. */
export const recipientsBody = {
  bodyLimit: mostBatchFileBytes,
  mostEntries: mostRecipients,
  mostValues: 1_000_000,
} as const;

async function sentAsJson(body: unknown): Promise<SentBatch> {
  const json = readJson(body);
  if ('problems' in json) throw invalid('The form is not valid', json.problems);
  // Thousands of recipients take a tenth of a second here and there: other requests have a turn in between.
  await setImmediate();
  const read = readRecipients(property(json.value, 'recipients'));
  await setImmediate();
  const recipients = 'recipients' in read ? read.recipients : [];
  const bytes = Buffer.from(JSON.stringify(recipients));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...formOfJson(json.value, 'problems' in read ? read.problems : []), bytes, sha256, recipients };
}

/** Reads the body of create or of validate. Nothing is judged by what the database holds. */
export async function readSentBatch(request: FastifyRequest): Promise<SentBatch> {
  const { raw, body, uploadPlace: place } = request;
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true;
  return isForm ? { ...(await readFormParts(raw, { place })), recipients: null } : sentAsJson(body);
}

/** @throws Failure `invalid` with each recipient whose language the agent of this rule does not speak */
export async function requireSpokenLanguages(
  db: Db,
  accountId: string,
  who: Talking,
  recipients: readonly RecipientInput[],
): Promise<void> {
  if (recipients.every(({ language }) => language === undefined)) return;
  const spoken = (await agentTexts(db, accountId, who)).map(({ config }) => Object.keys(config.languages));
  const [first] = spoken;
  const byAll = first?.filter((language) => spoken.every((languages) => languages.includes(language)));
  const problems = byAll === undefined ? [] : languageProblems(recipients, byAll);
  if (problems.length > 0) throw invalid('The form is not valid', problems);
}
