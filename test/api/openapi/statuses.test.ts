import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../../api/operations.js';
import { responsesOf } from '../../../api/operation-mount.js';
import type { Operation } from '../../../api/operation.js';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Where the tests of an operation are: `agents.listVersions` has `test/api/agents/list-versions.test.ts`, or a folder of
 * that name if one file would be too long. What gateways of both directions do alike is tested in `test/api/gateways`.
 */
function placesOf({ name }: Operation): string[] {
  const place = `test/api/${name.split('.').map(kebab).join('/')}`;
  return [...new Set([place, place.replace(/(in|out)bound-gateways/, 'gateways')])];
}

const filesAt = (place: string): string[] => [
  ...(existsSync(`${place}.test.ts`) ? [`${place}.test.ts`] : []),
  ...(existsSync(place) ? readdirSync(place).map((file) => `${place}/${file}`) : []),
];

/** Statuses that have a `describe('<status>', …)`, or one whose title begins with the status and a colon. */
const describedIn = (file: string): number[] =>
  [...readFileSync(file, 'utf8').matchAll(/^describe\('(\d{3})(?:: [^']+)?', \(\) => \{$/gm)].map(([, status]) =>
    Number(status),
  );

/**
 * Statuses that an operation documents of its own: successes, and the failures that it declares. What follows from its
 * method, its path or its header is asked of all operations at once (test/api/core, test/security/cross-account).
 */
const ownStatuses = ({ schema }: Operation): number[] => [
  ...new Set([...Object.keys(schema.response).map(Number), ...(schema.errors ?? [])]),
];

const describedOf = (operation: Operation): number[] => placesOf(operation).flatMap(filesAt).flatMap(describedIn);

test('every status that an operation documents of its own has tests: a describe of the status', () => {
  const missing = operations.flatMap((operation) => {
    const described = describedOf(operation);
    return ownStatuses(operation)
      .filter((status) => !described.includes(status))
      .map((status) => `${operation.name}: describe('${status}') in ${placesOf(operation).join(' or ')}.test.ts`);
  });
  expect(missing).toEqual([]);
});

test('every describe of a status is of one that the operation documents', () => {
  const unknown = operations.flatMap((operation) =>
    describedOf(operation)
      .filter((status) => !(status in responsesOf(operation)))
      .map((status) => `${operation.name}: ${status}`),
  );
  expect(unknown).toEqual([]);
});
