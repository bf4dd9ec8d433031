import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDialer } from '../../dialer/dialer.js';
import type { Odds, Start } from './scenario.js';
import { openStage, type Stage } from './stage.js';

/** A place in the product, and what stands there instead. The text must be there, or the mutant breaks nothing. */
export interface Change {
  readonly in: string;
  readonly from: string | RegExp;
  readonly to: string;
}

/** The product without one of its promises. */
export interface Mutant {
  readonly what: string;
  /** What is taken out of the schema, in SQL. */
  readonly schema?: string;
  /** Files of db/functions. */
  readonly functions?: readonly Change[];
  /** Files of dialer/. */
  readonly dialer?: readonly Change[];
  /** Statements of db/queries: `in` is a text that the statement has, beside what is changed. */
  readonly statements?: readonly Change[];
  readonly found: RegExp;
  /** Makes likelier what leads there. */
  readonly odds?: Odds;
  readonly start?: Start;
  /** Chosen so that it is found in few steps; omitted: 1. */
  readonly seed?: number;
  /** It takes some thousand steps to find. */
  readonly long?: true;
}

export interface MutantStage {
  readonly stage: Stage;
  /** Statements that were to be changed, and that were never sent. */
  readonly unchanged: () => string[];
  readonly close: () => Promise<void>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** @throws if the text is not there: the product has changed, and the mutant must follow */
function changed(text: string, { in: place, from, to }: Change): string {
  const after = text.replace(from, to);
  if (after === text)
    throw new Error(`${place} has no ${String(from)} any more: change the mutant as the product was changed`);
  return after;
}

/** A stage on which the mutant plays instead of the product. */
export async function openMutantStage(mutant: Mutant): Promise<MutantStage> {
  const { functions = [], dialer = [], statements = [] } = mutant;
  const texts = new Map<string, string>();
  for (const change of functions) {
    const path = join(root, 'db/functions', change.in);
    texts.set(change.in, changed(texts.get(change.in) ?? (await readFile(path, 'utf8')), change));
  }
  const missing = new Set(statements);
  function rewrite(text: string): string {
    let after = text;
    for (const change of statements) {
      if (!text.includes(change.in)) continue;
      after = changed(after, change);
      missing.delete(change);
    }
    return after;
  }
  const copy = dialer.length === 0 ? null : await copyDialer(dialer);
  const broken = {
    functions: [mutant.schema ?? '', ...texts.values()].join(';\n'),
    rewrite,
    startDialer: copy?.startDialer ?? startDialer,
  };
  const stage = await openStage(broken);
  return {
    stage,
    unchanged: () => [...missing].map((change) => change.in),
    close: async () => {
      await stage.close();
      await copy?.remove();
    },
  };
}

/** A copy of dialer/ with these changes; what it imports from other folders is the product's. */
async function copyDialer(changes: readonly Change[]) {
  const folder = join(root, 'test-results', `mutant-${process.pid}-${Date.now()}`);
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'dialer'), folder, { recursive: true });
  for (const name of await readdir(folder)) {
    let text = await readFile(join(folder, name), 'utf8');
    for (const change of changes.filter((other) => other.in === name)) text = changed(text, change);
    await writeFile(join(folder, name), text.replaceAll(`'../`, `'../../`));
  }
  const loaded: unknown = await import(join(folder, 'dialer.ts'));
  if (!isDialerModule(loaded)) throw new Error('the copy of dialer/dialer.ts starts no dialer');
  return { startDialer: loaded.startDialer, remove: () => rm(folder, { recursive: true }) };
}

const isDialerModule = (loaded: unknown): loaded is { readonly startDialer: typeof startDialer } =>
  typeof loaded === 'object' && loaded !== null && 'startDialer' in loaded;
