import { describe, test } from 'vitest';
import { api } from '../support.js';
import { directions, findsNoneOf } from './support.js';

describe('404', () => {
  test.each(directions)(
    'an unknown %s gateway, one of another account and one of the other direction get the same answer, and stay',
    (direction) => findsNoneOf(direction, (path) => api.delete(path)),
  );
});
