import { test } from 'vitest';
import { api } from '../../support.js';
import { findsNoneOf } from '../support.js';

test("another account's batch, an unknown one and what is no id are not found in the same words", () =>
  findsNoneOf((batchUrl) => api.get(`${batchUrl}/corrected-rows`)));
