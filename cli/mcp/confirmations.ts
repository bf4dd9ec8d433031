import { createHash, randomBytes } from 'node:crypto';
import type { Arguments } from './answer.js';
import type { Tool } from './tools.js';

/** As long as a person may take to read what a dry run says. */
const validMs = 15 * 60_000;

/**
 * What dry runs have returned. They are bound to a tool and to its very arguments, and are known to this process alone: a language
 * model can neither make one up nor use one for something else.
 */
export class Confirmations {
  private readonly given = new Map<string, { readonly of: string; readonly until: number }>();

  /** A new one for exactly these arguments. */
  give(tool: Tool, args: Arguments): string {
    const confirmation = `confirm-${randomBytes(9).toString('base64url')}`;
    this.given.set(confirmation, { of: nameOf(tool, args), until: Date.now() + validMs });
    return confirmation;
  }

  /** Why it does not hold; undefined if it does. It may be used again: it is the Idempotency-Key, so nothing is made twice. */
  problemOf(confirmation: unknown, tool: Tool, args: Arguments): string | undefined {
    const found = typeof confirmation === 'string' ? this.given.get(confirmation) : undefined;
    if (found === undefined) return 'This confirmation is unknown. Ask once without it: the dry run returns one.';
    if (found.until < Date.now()) return 'This confirmation is older than 15 minutes. Ask once more without it.';
    if (found.of === nameOf(tool, args)) return undefined;
    return 'This confirmation is of other arguments. Send exactly those of its dry run, or ask once more without it.';
  }
}

const nameOf = (tool: Tool, args: Arguments): string =>
  createHash('sha256')
    .update(JSON.stringify([tool.name, sorted(args)]))
    .digest('hex');

/** The order in which fields are written says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
