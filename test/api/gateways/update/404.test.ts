import { test } from 'vitest';
import { api } from '../../support.js';
import { directions, findsNoneOf } from '../support.js';

test.each(directions)(
  'an %s gateway of nobody, of another account and of the other direction sound the same, and stay',
  (direction) => findsNoneOf(direction, (path) => api.patch(path, { name: 'Mine' })),
);
