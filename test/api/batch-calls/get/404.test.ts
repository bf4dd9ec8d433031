import { test } from 'vitest';
import { api } from '../../support.js';
import { findsNoneOf } from '../support.js';

// shows: batch.get.404, errors.batch-404
test("another account's batch, an unknown one and what is no id are not found in the same words", () =>
  findsNoneOf((batchUrl) => api.get(batchUrl)));
