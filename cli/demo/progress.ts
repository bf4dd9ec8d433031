import { Presets, SingleBar } from 'cli-progress';
import type { Batch, Stats } from './shapes.js';
import { countsOf, settledOf } from './outcome.js';

export interface Progress {
  show(batch: Batch, stats: Stats): void;
  end(): void;
}

const countsText = (stats: Stats): string =>
  countsOf(stats)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

/** Why those wait that are still to be called; '' if none are. */
const waitsOf = ({ waiting, waitingFor }: Batch): string => (waiting?.total ? (waitingFor ?? '') : '');

/** A live bar on a terminal; in a file a line for each change. */
export function showProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? barOn(stream) : linesOn(stream);
}

function barOn(stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar(
    {
      format: '  {bar} {value}/{total}  {counts}  {waits}',
      stream,
      hideCursor: true,
      etaBuffer: 10,
      clearOnComplete: false,
    },
    Presets.shades_classic,
  );
  let running = false;
  return {
    show: (batch, stats) => {
      const { recordsUploaded } = batch;
      if (recordsUploaded === 0) return;
      if (!running) bar.start(recordsUploaded, 0, { counts: '', waits: '' });
      running = true;
      bar.update(settledOf(stats), { counts: countsText(stats), waits: waitsOf(batch) });
    },
    end: () => bar.stop(),
  };
}

function linesOn(stream: NodeJS.WriteStream): Progress {
  const everyMs = 2_000;
  let last = '';
  let at = -everyMs;
  return {
    show: (batch, stats) => {
      const { status, recordsUploaded } = batch;
      const waits = waitsOf(batch);
      const line =
        recordsUploaded === 0
          ? `  ${status}`
          : `  ${status}: ${settledOf(stats)} of ${recordsUploaded} finished; ${countsText(stats)}${waits === '' ? '' : `. ${waits}`}`;
      if (line === last || performance.now() - at < everyMs) return;
      [last, at] = [line, performance.now()];
      stream.write(`${line}\n`);
    },
    end: () => undefined,
  };
}
