import { cpus, totalmem } from 'node:os';

/** Where the figures come from: without it they mean nothing. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly platform: string;
}

export function thisMachine(): Machine {
  const all = cpus();
  return {
    cores: all.length,
    processor: all[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}
