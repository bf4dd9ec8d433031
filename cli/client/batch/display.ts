import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { countsOf, settledOf } from '../../demo/outcome.js';
import { coloursOn } from '../output.js';
import { printable } from '../printable.js';
import { cutTo } from '../width.js';
import type { WatchedBatch } from './watched-batch.js';

export interface Display {
  show(batch: WatchedBatch): void;
  /** Leaves what was shown last. May be called again. */
  end(): void;
}

/** On a terminal a bar that is drawn again in its place; elsewhere a line for each change. */
export const showWatched = (stream: NodeJS.WriteStream): Display =>
  stream.isTTY && process.env.TERM !== 'dumb' ? drawOn(stream) : writeOn(stream);

const countsText = ({ counts }: WatchedBatch): string =>
  countsOf(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

/** Why nothing happens, as the service says it; empty if nobody waits. */
function whyWaiting({ status, paused, pausedDetails, waiting, waitingFor }: WatchedBatch): string {
  if (status === 'parsing') return waitingFor;
  if (paused && pausedDetails !== undefined) return `Paused: ${pausedDetails}`;
  return waiting.total > 0 ? waitingFor : '';
}

/** The segments of the bar by what calls came to; their widths add up to it. */
function barOf(batch: WatchedBatch, width: number, stream: NodeJS.WriteStream): string {
  const { green, red, yellow, cyan, dim } = coloursOn(stream);
  const { counts, recordsUploaded: total } = batch;
  const of = (...names: string[]): number => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const parts = [
    { count: of('answered'), draw: (text: string) => green(text), sign: '█' },
    {
      count: of('failed', 'not-answered', 'rejected', 'missed', 'abandoned', 'cancelled'),
      draw: (text: string) => red(text),
      sign: '▓',
    },
    { count: of('dialing', 'in-progress'), draw: (text: string) => cyan(text), sign: '▒' },
    { count: of('retrying'), draw: (text: string) => yellow(text), sign: '░' },
  ];
  let sum = 0;
  let drawn = 0;
  const bar = parts.map(({ count, draw, sign }) => {
    sum += count;
    // Rounded where a segment ends, so that what is drawn never exceeds the bar.
    const end = total === 0 ? 0 : Math.round((sum / total) * width);
    const length = Math.max(0, end - drawn);
    drawn += length;
    return draw(sign.repeat(length));
  });
  return bar.join('') + dim('·'.repeat(Math.max(0, width - drawn)));
}

function drawOn(stream: NodeJS.WriteStream): Display {
  const { bold } = coloursOn(stream);
  let lines = 0;
  return {
    show: (batch) => {
      const columns = stream.columns > 0 ? stream.columns : 80;
      // Less than the line: what fills it may begin another one.
      const cut = (text: string): string => cutTo(text, columns - 1);
      const numbers = `  ${settledOf(batch.counts)}/${batch.recordsUploaded}`;
      const width = Math.max(10, Math.min(60, columns - numbers.length - 3));
      const drawn = [
        bold(cut(`${printable(batch.batchName)}  ${batch.status}${batch.paused ? ', paused' : ''}`)),
        `${barOf(batch, width, stream)}${numbers}`,
        ...[countsText(batch), whyWaiting(batch)].filter((text) => text !== '').map((text) => cut(printable(text))),
      ];
      if (lines > 0) {
        moveCursor(stream, 0, -lines);
        cursorTo(stream, 0);
      }
      clearScreenDown(stream);
      stream.write(`${drawn.join('\n')}\n`);
      lines = drawn.length;
    },
    end: () => {
      lines = 0;
    },
  };
}

function writeOn(stream: NodeJS.WriteStream): Display {
  let last = '';
  return {
    show: (batch) => {
      const counts = countsText(batch);
      const why = whyWaiting(batch);
      const line = [
        `${batch.status}${batch.paused ? ', paused' : ''}: ${settledOf(batch.counts)} of ${batch.recordsUploaded} over`,
        ...(counts === '' ? [] : [`; ${counts}`]),
        ...(why === '' ? [] : [`. ${why}`]),
      ].join('');
      if (line !== last) stream.write(`${printable(line)}\n`);
      last = line;
    },
    end: () => undefined,
  };
}
