import { bundleWorkflowCode } from '@temporalio/worker';

const say = (): void => undefined; // what goes wrong is thrown
const silent = { trace: say, debug: say, info: say, warn: say, error: say, log: say };

/** The worker insists on a source map; without one, a stack trace names lines of the bundle. */
const emptySourceMap = Buffer.from(
  JSON.stringify({ version: 3, file: 'workflows.js', sources: ['workflows.js'], names: [], mappings: '' }),
).toString('base64');

/**
 * The code of all workflows in one text, for the worker's sandbox.
 *
 * @param entry path of workflows/index, as TypeScript or compiled
 */
export async function bundleWorkflows(entry: string): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    logger: silent,
    webpackConfigHook: (config) => ({
      ...config,
      // Source maps would be most of the bundle, and of the time that it takes to make and load it.
      devtool: false,
      module: { ...config.module, rules: (config.module?.rules ?? []).filter((rule) => !isSourceMapLoader(rule)) },
    }),
  });
  return [code, '\n//#', ` sourceMappingURL=data:application/json;base64,${emptySourceMap}\n`].join('');
}

const isSourceMapLoader = (rule: unknown): boolean => JSON.stringify(rule).includes('source-map-loader');
