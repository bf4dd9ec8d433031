import { describe, test } from 'vitest';
import { api } from '../support.js';
import { directions, findsNoneOf } from './support.js';

describe('404', () => {
  test.each(directions)(
    'an %s gateway of nobody, of another account and of the other direction sound the same, and stay',
    (direction) => findsNoneOf(direction, (path) => api.delete(path)),
  );
});
