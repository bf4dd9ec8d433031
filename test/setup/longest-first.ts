import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, by their beginning: they start first, so that what runs last is short. Those that are not
 * named come after them.
 */
const longest = [
  'test/chaos/',
  'test/simulation/',
  'test/e2e/',
  'test/fuzz/',
  'test/browser/console/',
  'test/integration/',
  'test/security/',
  'test/workflow/',
  'agent/test/conversation',
];

/** Projects one after the other, since only files of the same project share processes; in each, the longest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(({ name }) => name);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((begins) => relative(this.ctx.config.root, moduleId).startsWith(begins));
      return place === -1 ? longest.length : place;
    };
    const byVitest = await super.sort(files);
    return byVitest.toSorted(
      (a, b) => order.indexOf(a.project.name) - order.indexOf(b.project.name) || rank(a) - rank(b),
    );
  }
}
