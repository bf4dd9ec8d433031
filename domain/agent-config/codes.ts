/**
 * Every code that validating an agent's config can answer, and what it means. Clients branch on the codes, so a code keeps
 * its meaning; the words of a problem's message are for people and may change. docs/validation-codes.md shows this table.
 */
export const validationCodes = {
  REQUIRED: 'A field that must be there is missing, or is a text with nothing in it.',
  INVALID_TYPE: 'The value has another JSON type than the field takes.',
  INVALID_VALUE: 'The value has the right type and is not one that the field takes.',
  OUT_OF_RANGE: 'The number is too small or too large.',
  TOO_LONG: 'The text has more characters than the field takes.',
  UNRECOGNIZED_KEY: 'The object has no such field; the path is that of the key itself.',
  INVALID_SLUG: 'A model is not written as `<provider>/<model_id>`.',
  UNKNOWN_LANGUAGE: 'No language has this name. GET /v1/languages lists them.',
  DUPLICATE_LANGUAGE: 'The same language has a block already, under a key with another casing.',
  DEFAULT_LANGUAGE_MISSING: 'The default language has no block in languages.',
  UNKNOWN_PROVIDER: 'The catalogue has no such provider. GET /v1/models lists what it has.',
  UNKNOWN_MODEL: 'The provider has no such model in the catalogue.',
  WRONG_MODEL_KIND: 'The model exists and does something else than its slot needs.',
  UNKNOWN_VOICE: 'The model has a fixed list of voices, and this is not one of them.',
  VOICE_REQUIRED: 'A text-to-speech entry names no voice.',
  MASKED_API_KEY: 'The key is the masked form that responses show. The full key has to be sent each time.',
  LANGUAGES_DISAGREE: 'A setting that is shared by all languages differs from the first block that has it.',
  WAKE_UP_INCOMPLETE: 'An enabled wake-up lacks its delay or its message.',
  MAX_WAIT_BELOW_MIN: 'The longest wait is shorter than the shortest.',
  VAD_REQUIRED: 'Interruption by voice activity is chosen and voice activity detection is not set up.',
  UNSUPPORTED_LANGUAGE: 'The model does not work in the language of the block.',
  UNKNOWN_KNOWLEDGE_BASE: 'The account has no knowledge base with this id.',
  UNKNOWN_TOOL: 'The account has no tool with this id.',
  INVALID_URL: 'The URL cannot be used for outgoing requests.',
  INVALID_JSON: 'The body is not JSON.',
  TOO_MANY_PROBLEMS: 'There are more problems than the answer lists.',
} as const;

export type ValidationCode = keyof typeof validationCodes;

export const isValidationCode = (code: unknown): code is ValidationCode =>
  typeof code === 'string' && Object.hasOwn(validationCodes, code);
