import { askToLoad } from './conversation/reports.js';

// The file that LiveKit Agents loads in each process. What conversations need takes seconds of a processor to load; the worker
// says when, so that no greeting waits for it.
await askToLoad();
const { default: job } = await import('./job.js');

export default job;
