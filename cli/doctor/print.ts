import { coloursOn } from '../client/output.js';
import { printable } from '../client/printable.js';
import type { Finding } from './finding.js';

const signs = { ok: '✓', warning: '!', failed: '✗', skipped: '–' } as const;

/** A finding as a person reads it: what was found, and what to do about it. */
export function linesOf({ check, state, message, remedy }: Finding, stream: NodeJS.WriteStream): string[] {
  const { green, red, yellow, dim } = coloursOn(stream);
  const colour = { ok: green, warning: yellow, failed: red, skipped: dim }[state];
  const [first = '', ...rest] = message.split('\n').map(printable);
  return [
    `${colour(signs[state])} ${check}: ${first}`,
    ...rest.map((line) => `    ${line}`),
    ...(remedy === undefined ? [] : [`    → ${printable(remedy)}`]),
  ];
}
