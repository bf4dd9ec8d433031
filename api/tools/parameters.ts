import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Problem } from '../../domain/errors.js';
import { isLargerThan } from '../fields.js';
import { isObject } from '../../domain/input/json-value.js';

/** Largest JSON Schema of a tool: a model reads it with every sentence. */
const mostBytes = 16_384;

/** Nothing is kept of what it has seen: schemas are clients' and may carry the same $id. Formats are not ours to know. */
const ajv = new Ajv2020({
  strict: false,
  addUsedSchema: false,
  validateFormats: false,
  inlineRefs: false,
  logger: false,
});

/** Dialects that mean the same for what a tool's parameters can say. */
const dialects = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft\/2019-09|draft-07)\/schema#?$/;

/** What makes a schema unusable, in words that follow its name; null if it can be used. */
function schemaProblem({ $schema, ...schema }: Record<string, unknown>): string | null {
  if ($schema !== undefined && !(typeof $schema === 'string' && dialects.test($schema))) {
    return 'has a $schema other than draft-07, 2019-09 or 2020-12';
  }
  if (schema.type !== 'object') return 'must be the JSON Schema of an object: {"type": "object", "properties": {…}}';
  try {
    if (ajv.validateSchema(schema) !== true) {
      const [first] = ajv.errors ?? [];
      return `is not a JSON Schema: ${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.replaceAll(
        '  ',
        ' ',
      );
    }
    // References and patterns are seen only when it is put together.
    ajv.compile(schema);
    return null;
  } catch (error) {
    return `is not a JSON Schema: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300);
  } finally {
    ajv.removeSchema(schema);
  }
}

/** What is wrong with a tool's `parameters` beyond being an object. */
export function parametersProblems(parameters: unknown): Problem[] {
  if (!isObject(parameters)) return [];
  if (isLargerThan(parameters, mostBytes)) {
    return [{ path: 'parameters', code: 'TOO_LONG', message: `must be at most ${mostBytes} bytes as JSON` }];
  }
  const message = schemaProblem(parameters);
  return message === null ? [] : [{ path: 'parameters', code: 'INVALID_VALUE', message }];
}
