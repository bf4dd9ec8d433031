// npm run simulate -- [--steps 100000] [--seed 42] [--path 3:1:0 [--moves 0-3,7]]: plays test/simulation with other scenarios than `npm test`,
// or one again that broke something. Builds nothing: the simulation reads the sources.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { steps: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' }, moves: { type: 'string' } },
});
for (const name of ['steps', 'seed']) {
  if (values[name] !== undefined && !/^\d{1,12}$/.test(values[name])) {
    console.error(`simulate: --${name} takes a whole number, not ${JSON.stringify(values[name])}`);
    process.exit(2);
  }
}
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
const env = { ...process.env, SIMULATION_SEED: seed };
if (values.steps !== undefined) env.SIMULATION_STEPS = values.steps;
if (values.path !== undefined) env.SIMULATION_PATH = values.path;
if (values.moves !== undefined) env.SIMULATION_MOVES = values.moves;
console.log(`Seed ${seed}`);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/simulation/simulation.test.ts'], { env, stdio: 'inherit' });
process.exit(status ?? 1);
