import { test } from 'vitest';
import { fuzz, useFuzzedApi } from './fuzz-api.js';

useFuzzedApi();

// shows: everywhere.statuses, openapi.held
test(
  'whatever is asked, no operation answers 5xx, a status or a body that the reference does not have (schemathesis)',
  { timeout: 900_000 },
  (context) => fuzz('coverage,fuzzing', context),
);
