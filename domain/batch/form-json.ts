import { z } from 'zod';
import type { Problem } from '../errors.js';
import { isObject } from '../input/json-value.js';
import type { SentForm } from './form.js';
import { jsonFields } from './form-fields.js';

/** Name of what is kept in place of a file. */
const recipientsName = 'recipients.json';

type Kind = 'text' | 'number' | 'boolean' | 'other';

function kindOf(schema: z.ZodType): Kind {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodString || inner instanceof z.ZodEnum) return 'text';
  if (inner instanceof z.ZodBoolean) return 'boolean';
  return inner instanceof z.ZodNumber ? 'number' : 'other';
}

const kinds = new Map(Object.entries(jsonFields).map(([name, schema]) => [name, kindOf(schema)]));

/** The text that a form would send for a value of a JSON body; null if no form can say it. */
function textOfJson(name: string, value: unknown): string | null {
  switch (kinds.get(name)) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'number':
      return typeof value === 'number' ? String(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : null;
    default:
      return JSON.stringify(value);
  }
}

/**
 * A JSON body as the form that says the same, so that one definition reads both (`form-fields.ts`).
 *
 * @param body without nulls
 * @param ofRecipients what is wrong with `recipients`
 */
export function formOfJson(body: unknown, ofRecipients: readonly Problem[]): SentForm {
  if (!isObject(body)) {
    const problem = { path: '', code: 'INVALID_TYPE', message: 'must be a JSON object' };
    return { texts: new Map(), repeated: [], filename: recipientsName, ofJson: [problem] };
  }
  const texts = new Map<string, string>();
  const problems = [...ofRecipients];
  for (const [name, value] of Object.entries(body)) {
    if (name === 'recipients') continue;
    const text = textOfJson(name, value);
    if (text !== null) texts.set(name, text);
    else {
      const kind = kinds.get(name);
      const message =
        kind === 'number' ? 'must be a number' : kind === 'boolean' ? 'must be true or false' : 'must be a text';
      problems.push({ path: name, code: 'INVALID_TYPE', message });
    }
  }
  return { texts, repeated: [], filename: recipientsName, ofJson: problems };
}
