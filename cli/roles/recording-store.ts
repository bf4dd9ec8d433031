import type { RecordingStore } from '../../activities/recording-objects.js';
import type { Env } from '../../platform/env.js';
import { createObjectStore } from '../../platform/object-store.js';

/** The store that the settings name. Without a bucket nothing is moved there, and what was moved earlier is still deleted. */
export const recordingStore = (env: Env): RecordingStore => ({
  store: createObjectStore({ region: env.OUTDIAL_RECORDING_REGION, endpoint: env.OUTDIAL_RECORDING_ENDPOINT }),
  bucket: env.OUTDIAL_RECORDING_BUCKET ?? null,
  prefix: env.OUTDIAL_RECORDING_PREFIX,
});
