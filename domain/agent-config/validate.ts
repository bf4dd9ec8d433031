import { z } from 'zod';
import type { Problem } from '../errors.js';
import { checkLanguages } from './language-blocks.js';
import { prepare } from './prepare.js';
import { collectProblems, type Report } from './problems.js';
import { isObject } from '../input/json-value.js';
import { AgentConfig, exampleConfig, longest } from './schema.js';
import { type AgentConfigContext, checkSharedSettings } from './shared-settings.js';
import { type ProviderKey, storedForm } from './stored.js';
import { reportIssues } from './structure.js';

export interface InvalidConfig {
  readonly ok: false;
  /** Everything wrong with it, sorted by path. */
  readonly problems: readonly Problem[];
}

export interface ValidConfig {
  readonly ok: true;
  /** What is stored and answered: names resolved, keys masked. */
  readonly config: AgentConfig;
  /** The keys that the masks stand for. */
  readonly secrets: readonly ProviderKey[];
}

/** Version label of an update that names none (docs/conformance.md, POST /v1/agents and PUT /v1/agents/{agentId}). */
const defaultVersionName = 'Updated via API';

/** Body of an update: the config's fields and the label of the new version beside them. */
export const AgentConfigUpdate = AgentConfig.extend({
  versionName: z
    .string()
    .max(longest.name)
    .optional()
    .describe(`Label of the new version; \`${defaultVersionName}\` if omitted.`),
}).meta({ examples: [{ ...exampleConfig, versionName: 'Friendlier greeting' }] });

function read<T extends AgentConfig>(
  schema: z.ZodType<T>,
  input: unknown,
  context: AgentConfigContext,
): { problems: Problem[]; parsed: T | undefined } {
  const { report, sorted } = collectProblems();
  // An empty body is an object with every field omitted.
  const config = prepare(input ?? {}, report);
  const parsed = schema.safeParse(config);
  if (!parsed.success) reportIssues(parsed.error.issues, config, report);
  checkAcrossFields(config, context, report);
  return { problems: sorted(), parsed: parsed.data };
}

function checkAcrossFields(config: unknown, context: AgentConfigContext, report: Report): void {
  if (!isObject(config)) return;
  checkLanguages(config, report);
  checkSharedSettings(config, context, report);
}

/**
 * Validates an AgentConfig (docs/conformance.md, AgentConfig; docs/validation-codes.md): everything wrong with it at
 * once, or the form in which it is stored, with the providers' keys apart. Never throws, whatever the input.
 */
export function validateAgentConfig(input: unknown, context: AgentConfigContext): ValidConfig | InvalidConfig {
  const { problems, parsed } = read(AgentConfig, input, context);
  if (parsed === undefined || problems.length > 0) return { ok: false, problems };
  return { ok: true, ...storedForm(parsed) };
}

/** The same for the body of an update, which carries `versionName` beside the config's fields. */
export function validateAgentUpdate(
  input: unknown,
  context: AgentConfigContext,
): (ValidConfig & { readonly versionName: string }) | InvalidConfig {
  const { problems, parsed } = read(AgentConfigUpdate, input, context);
  if (parsed === undefined || problems.length > 0) return { ok: false, problems };
  const { versionName = defaultVersionName, ...config } = parsed;
  return { ok: true, versionName, ...storedForm(config) };
}
