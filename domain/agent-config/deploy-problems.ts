import { type Language, languageNamed } from '../agent/languages.js';
import type { ModelKind } from '../agent/model-catalog.js';
import { type AskedKind, customProvider, customUrlVariable } from '../agent/model-endpoints.js';
import { findModel, speaks } from '../agent/models.js';
import type { ResolvedAgentConfig } from './defaults.js';
import { formatPath, type Path } from './problems.js';
import type { ModelEntry } from './schema.js';

/** Agent workers of a region: one takes calls, even if all its slots are taken now; none does yet; there is none. */
export type RegionService = 'served' | 'warming' | 'draining' | 'none';

/** What a deployment finds around it. */
export interface DeployCircumstances {
  /** Providers (catalogue ids) for which the service itself has a key. */
  readonly serviceKeys: ReadonlySet<string>;
  /** Kinds of models of the provider `custom` that have an address. */
  readonly customKinds: ReadonlySet<ModelKind>;
  /** True if the account has an API key that is active. */
  readonly hasActiveKey: boolean;
  /** True with the carrier simulator: the agent is simulated too, and needs neither models nor a worker. */
  readonly simulated: boolean;
  readonly region: string;
  readonly agents: RegionService;
}

const workerProblems: Readonly<Record<RegionService, (region: string) => string[]>> = {
  served: () => [],
  warming: (region) => [
    `The agent workers of the region ${region} are not ready: none has a process warm yet. Look at their logs if that ` +
      'takes longer than a minute, then deploy the agent.',
  ],
  draining: (region) => [
    `The agent workers of the region ${region} are stopping and take no more calls. Start one with \`outdial agent\`, then ` +
      'deploy the agent.',
  ],
  none: (region) => [
    `No agent worker serves the region ${region}. Start one with \`outdial agent\`, then deploy the agent.`,
  ],
};

/** A model that a call, its summary or its analysis may come to use, and that can be asked beforehand. */
export interface AskableModel {
  readonly kind: AskedKind;
  readonly slug: string;
  /** Of a text-to-speech model that has one. */
  readonly voice: string | undefined;
  /** Plain code of the language that it hears or speaks; undefined if it does neither. */
  readonly languageCode: string | undefined;
  /** Where the config has it, such as languages.english.llm[0]. */
  readonly path: string;
}

interface UsedModel {
  readonly entry: ModelEntry;
  readonly kind: ModelKind;
  readonly language: Language | undefined;
  readonly path: Path;
}

/** The models that a call may come to use, fallbacks included. */
function modelsUsed(config: ResolvedAgentConfig): UsedModel[] {
  const used = Object.entries(config.languages).flatMap(([name, block]) => {
    const language = languageNamed(name);
    const kinds = (block.realtime ?? []).length > 0 ? (['realtime'] as const) : (['stt', 'llm', 'tts'] as const);
    return kinds.flatMap((kind) =>
      (block[kind] ?? []).map((entry, index) => ({ entry, kind, language, path: ['languages', name, kind, index] })),
    );
  });
  const { callSummary, analysis } = config;
  const afterwards = [
    { enabled: callSummary?.enabled, entry: callSummary?.llm, path: ['callSummary', 'llm'] },
    { enabled: analysis?.enabled, entry: analysis?.model, path: ['analysis', 'model'] },
  ];
  return [
    ...used,
    ...afterwards.flatMap(({ enabled, entry, path }): UsedModel[] =>
      enabled === true && entry !== undefined ? [{ entry, kind: 'llm', language: undefined, path }] : [],
    ),
  ];
}

/** The models of a config that can be asked beforehand, fallbacks included, as often as it names them. */
export const modelsToAsk = (config: ResolvedAgentConfig): AskableModel[] =>
  modelsUsed(config).flatMap(({ kind, entry: { model: slug, voice }, language, path }) =>
    kind === 'llm' || kind === 'stt' || kind === 'tts'
      ? [{ kind, slug, voice, languageCode: language?.code, path: formatPath(path) }]
      : [],
  );

/** A config is checked when it is sent; what is left are the service's defaults, which may not fit every language. */
function modelProblems(
  { entry, kind, language, path }: UsedModel,
  { serviceKeys, customKinds }: DeployCircumstances,
): string[] {
  const where = `${entry.model} (${formatPath(path)})`;
  const found = findModel(entry.model, kind);
  if (typeof found === 'string')
    return [`${where} is not a ${kind} model of the catalogue. Name one of GET /v1/models.`];
  const { provider, model } = found;
  const problems: string[] = [];
  if (language !== undefined && !speaks(model, language.code)) {
    problems.push(
      `${where} does not work in ${language.name}. Name a model of GET /v1/models?language=${language.name}.`,
    );
  }
  if (kind === 'tts' && entry.voice === undefined) {
    problems.push(`${where} has no voice. Name one in the config, or set OUTDIAL_DEFAULT_TTS_VOICE for the service.`);
  }
  const isCustom = provider.id === customProvider;
  if (isCustom && !customKinds.has(kind)) {
    problems.push(`${where} has no address. Set ${customUrlVariable(kind)} for the service, or name another model.`);
  }
  // A server of the operator's own may need no key.
  if (!isCustom && provider.keyVariable !== null && entry.apiKey === undefined && !serviceKeys.has(provider.id)) {
    problems.push(
      `${where} has no key for ${provider.name}. Send an apiKey with it, or set ${provider.keyVariable} for the service.`,
    );
  }
  return problems;
}

/**
 * Why a version cannot be deployed, each in words that say what to do; empty if it can.
 *
 * @param config with the service's defaults filled in (`resolveDefaults`)
 */
export function deployProblems(config: ResolvedAgentConfig, circumstances: DeployCircumstances): string[] {
  const { hasActiveKey, simulated, region, agents } = circumstances;
  const account = hasActiveKey
    ? []
    : ['The account has no active API key. Create one with `outdial key create`, then deploy the agent.'];
  if (simulated) return account;
  const models = modelsUsed(config).flatMap((used) => modelProblems(used, circumstances));
  return [...account, ...workerProblems[agents](region), ...new Set(models)];
}
