import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explore } from './explore.js';
import type { Odds } from './scenario.js';
import { openStage, type Stage } from './stage.js';
import { installVirtualTime } from './time.js';

/*
 * A check that cannot fail says nothing: here one promise after the other is taken out of the database's functions, and the
 * simulation has to find what then goes wrong.
 */

let restore: () => void;
beforeAll(() => {
  restore = installVirtualTime();
});
afterAll(() => restore());

interface Break {
  readonly what: string;
  /** Of files of db/functions: what is taken out, and what stands there instead. */
  readonly without: readonly (readonly [file: string, what: RegExp, instead: string])[];
  readonly found: RegExp;
  /** Makes likelier what leads there. */
  readonly odds: Odds;
}

const gate = 'gate-attempts.sql';

const breaks: readonly Break[] = [
  {
    what: 'a gate that does not look at the batch dials after a cancel or a pause was answered',
    without: [
      [gate, /when b\.id is not null and \(b\.status <> 'running' or b\.paused or b\.window_moving\) then 'held'/, ''],
    ],
    found: /passed the gate after it was forbidden: (batch|paused)/,
    odds: { cancel: 6, pause: 10, resume: 10 },
  },
  {
    what: 'a claim that does not count what is live exceeds the concurrency of a gateway',
    without: [['claim-attempts.sql', /least\(ceiling - live_now,/, 'least(ceiling,']],
    found: /live calls, \d+ are allowed/,
    odds: {},
  },
];

/** A database in which this is broken. */
async function brokenStage({ without }: Break): Promise<Stage> {
  const texts = new Map<string, string>();
  for (const [file, what, instead] of without) {
    const path = new URL(`../../db/functions/${file}`, import.meta.url);
    const text = texts.get(file) ?? (await readFile(path, 'utf8'));
    expect(text).toMatch(what);
    texts.set(file, text.replace(what, instead));
  }
  return openStage([...texts.values()].join('\n'));
}

test.for(breaks)('$what, and the simulation finds it', { timeout: 400_000 }, async (broken) => {
  const stage = await brokenStage(broken);
  try {
    const { violation } = await explore(stage, { steps: 25_000, seed: 1, odds: broken.odds, shrinkMs: 0 });
    expect(violation ?? 'nothing was found').toMatch(broken.found);
  } finally {
    await stage.close();
  }
});

test('a scenario that broke something is made smaller, and plays again by its seed and path', async () => {
  const [broken] = breaks;
  expect(broken).toBeDefined();
  if (broken === undefined) return;
  const stage = await brokenStage(broken);
  try {
    const wanted = { steps: 25_000, seed: 1, odds: broken.odds, shrinkMs: 20_000 };
    const { violation, path } = await explore(stage, wanted);
    expect(violation).toMatch(broken.found);
    expect(path).toContain(':');
    const again = await explore(stage, { ...wanted, shrinkMs: 0, path: path ?? '' });
    expect(again).toMatchObject({ scenarios: 1, path });
    expect(again.violation).toMatch(broken.found);
  } finally {
    await stage.close();
  }
}, 400_000);
