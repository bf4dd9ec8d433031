/**
 * Fields of errors that say which rule was broken, and where. Libraries attach others, such as the row, the request, the answer
 * or the bytes that they could not read: those hold what people have said or sent.
 */
const keptFields = [
  ...['name', 'code', 'errno', 'syscall', 'signal', 'status', 'statusCode', 'sipStatusCode'],
  ...['severity', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'],
] as const;

/** A class of PostgreSQL's codes whose messages quote the value that was refused. */
const dataException = /^22[0-9A-Z]{3}$/;
/** The same errors, and those of JSON, where only their words are left. */
const quotesData = /invalid input syntax|out of range|invalid byte sequence|malformed|not valid JSON/;
const quoted = /".*"/s;
/** Telephone numbers, also without the plus and in addresses; not the digits of ids. Addresses of people in SIP. */
const numbers = /(?:\+|%2B)\d{6,}|(?<![\w-])\d{7,15}(?![A-Za-z\d-])|\b(?:sips?|tel):[^\s"'>]+/gi;

/** Text that is not ours, without the telephone numbers in it. */
export const withoutNumbers = (text: string): string => text.replace(numbers, '[number]');

const withoutQuotes = (text: string): string => text.replace(quoted, '"[data]"');

function wordsOf(error: Error, code: unknown): string {
  const quotes = (typeof code === 'string' && dataException.test(code)) || quotesData.test(error.message);
  return withoutNumbers(quotes ? withoutQuotes(error.message) : error.message);
}

const typeOf = (error: Error): string => (error.constructor.name === '' ? error.name : error.constructor.name);
const framesOf = ({ stack = '' }: Error): string[] => stack.split('\n').filter((line) => /^\s+at /.test(line));
/** Causes that are told of; more are a loop. */
const deepest = 5;

/** The words of an error and of what caused it. */
function told(error: Error, depth = 0): { readonly message: string; readonly stack: readonly string[] } {
  const message = wordsOf(error, 'code' in error ? error.code : undefined);
  const stack = [`${typeOf(error)}: ${message}`, ...framesOf(error)];
  if (!(error.cause instanceof Error) || depth === deepest) return { message, stack };
  const cause = told(error.cause, depth + 1);
  const [first = '', ...rest] = cause.stack;
  return { message: `${message}: ${cause.message}`, stack: [...stack, `caused by: ${first}`, ...rest] };
}

function fieldsOf(error: Error, depth: number): unknown {
  const { message, stack } = told(error);
  const inner = Object.entries(error).filter(([name, value]) => name !== 'cause' && value instanceof Error);
  return {
    ...{ type: typeOf(error), message, stack: stack.join('\n') },
    ...keptOf(error),
    ...Object.fromEntries(inner.map(([name, value]) => [name, written(value, depth + 1)])),
    ...(error instanceof AggregateError ? { aggregateErrors: written(error.errors, depth + 1) } : {}),
  };
}

const keptOf = (value: object): object => {
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.fromEntries(keptFields.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
};

function written(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutNumbers(value);
  if (typeof value !== 'object' || value === null || depth > deepest) return typeof value === 'object' ? null : value;
  if (Array.isArray(value)) return value.map((each) => written(each, depth + 1));
  return value instanceof Error ? fieldsOf(value, depth) : keptOf(value);
}

/** Words of an error that are kept elsewhere than in logs, by the same rule. */
export function toldOf(error: Error): { readonly message: string; readonly stack: string } {
  const { message, stack } = told(error);
  return { message, stack: stack.join('\n') };
}

/**
 * What a line says of an error, without the data that PostgreSQL, parsers and libraries quote: type, code, constraint, table
 * and stack say which rule was broken. Anything may be thrown or handed over as an error, and a line about it must not end the process.
 */
export function errorFields(error: unknown): unknown {
  try {
    return written(error);
  } catch {
    return 'an error that cannot be written down';
  }
}
