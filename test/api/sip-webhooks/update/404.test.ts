import { test } from 'vitest';
import { api } from '../../support.js';
import { findsNoneOf } from '../support.js';

test('a webhook of nobody and of another account is not found, in the same words', () =>
  findsNoneOf((url, options) => api.patch(url, { events: ['call-missed'] }, options)));
