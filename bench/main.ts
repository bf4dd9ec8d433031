import { writeFileSync } from 'node:fs';
import { compareBuilds } from './against.js';
import { measureApi } from './api.js';
import { measureClaims } from './claims/measure.js';
import { measureFloor } from './floor/measure.js';
import { measureHistory } from './history/measure.js';
import { measureLatency } from './latency.js';
import { thisMachine } from './machine.js';
import { type BenchmarkName, readOptions } from './options.js';
import { measureParse } from './parse.js';
import { measurePeers } from './peers.js';
import { profiledNode } from './profile/processor.js';
import { type Result, table } from './result.js';
import { type RunningService, startService } from './service.js';
import { measureStarts } from './starts.js';
import { measureThroughput } from './throughput.js';
import { measureUpload } from './upload.js';
import { measureWaiting } from './waiting.js';

const options = readOptions();
const machine = thisMachine();
const at = new Date().toISOString();
const results: Result[] = [];
const wanted = (name: BenchmarkName): boolean => options.only.includes(name);
const say = (line: string): void => console.error(line);
/** As they come: what follows may fail, and has then cost nothing but itself. */
const write = (): void =>
  writeFileSync(options.json, `${JSON.stringify({ at, machine, options, results }, null, 2)}\n`);
const take = (name: string, measured: readonly Result[]): void => {
  results.push(...measured);
  write();
  say(`${name} is done.`);
};
const replace = (measured: readonly Result[]): void => {
  results.splice(0, results.length, ...measured);
  write();
};

async function throughput(service: RunningService): Promise<void> {
  const system = await measureThroughput(service, options, say);
  take('throughput', system.results);
  const temporal = { address: service.ready.temporalAddress, pid: service.ready.pids.temporal };
  const floor = await measureFloor(temporal, options.batches, options.floorCalls);
  take('floor', [
    { name: 'temporal floor', value: floor.callsPerSecond, unit: 'calls/s', note: floor.note },
    { name: 'temporal floor, processor: temporal', value: floor.temporalMsPerCall, unit: 'ms/call' },
    {
      name: 'whole system ÷ floor',
      value: system.callsPerSecond / floor.callsPerSecond,
      unit: '×',
      aim: { atLeast: 5 },
      note: 'one Temporal server, one run',
    },
  ]);
}

async function measureAll(): Promise<void> {
  if (['throughput', 'latency', 'starts', 'api', 'upload'].some((name) => options.only.some((each) => each === name))) {
    const { batches: lines, profile } = options;
    const env = profile === undefined ? {} : profiledNode(profile);
    const service = await startService({ lines, env }, say);
    try {
      if (wanted('throughput')) await throughput(service);
      if (wanted('latency')) {
        take('latency', await measureLatency(service, options.single, options.retries, say));
      }
      if (wanted('starts')) take('starts', await measureStarts(service, options.starts, say));
      if (wanted('api')) take('api', await measureApi(service, options.seconds));
      if (wanted('upload')) take('upload', await measureUpload(service, options.rows));
    } finally {
      await service.stop();
    }
  }
  if (wanted('parse')) take('parse', await measureParse(options.rows, options.rounds, say));
  if (wanted('claims')) take('claims', await measureClaims(options.queued, options.claims, say));
  if (wanted('waiting')) take('waiting', await measureWaiting(options.rows, say));
  if (wanted('peers')) {
    const system = results.find(({ name }) => name === 'whole system')?.value;
    take('peers', await measurePeers(options.jobs, system, say));
  }
  if (wanted('history') || wanted('audit')) {
    const { finished: calls, asked: rounds, heldSeconds, data, fillOnly } = options;
    const what = {
      calls,
      rounds,
      heldSeconds,
      data,
      history: wanted('history') && !fillOnly,
      audit: wanted('audit') && !fillOnly,
    };
    await measureHistory(what, (measured) => take(measured.map(({ name }) => name).join(', '), measured), say);
  }
}

if (options.against === undefined) await measureAll();
else await compareBuilds(options.against, options.pairs, options.ofOneBuild, replace, say);

console.log(`\n${at}, ${machine.cores} × ${machine.processor}, ${machine.memoryGb} GB, Node ${machine.node}\n`);
console.log(table(results));
say(`\nWritten to ${options.json}.`);
