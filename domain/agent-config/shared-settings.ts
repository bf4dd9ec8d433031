import { checkAnalysis } from './analysis-settings.js';
import { modelProvider, modelsOfKind } from '../agent/models.js';
import { isTransferTarget, isTransferTemplate } from '../call/transfer-target.js';
import { warmTargetNumber } from '../call/warm-transfer.js';
import { checkModelEntry, checkSlug } from './model-entries.js';
import type { Path, Report } from './problems.js';
import { isObject, listAt, property, textAt } from '../input/json-value.js';

/** What the rules need to know: the account's resources, and the operator's rules for outgoing requests. */
export interface AgentConfigContext {
  readonly knownKnowledgeBases: ReadonlySet<string>;
  readonly knownTools: ReadonlySet<string>;
  /** Why the service would not send to this URL (it is none, has no TLS, is a private address), or null if it would. */
  readonly refuseUrl: (url: string) => string | null;
}

function checkNoiseCancellation(voice: unknown, report: Report): void {
  const path: Path = ['voiceProcessing', 'noiseCancellation'];
  const noise = property(voice, 'noiseCancellation');
  if (!isObject(noise)) return;
  if ((property(noise, 'model') === undefined) === (property(noise, 'provider') === undefined)) {
    report(path, 'INVALID_VALUE', 'takes either model or provider');
  }
  checkSlug(noise, 'noise-cancellation', undefined, path, report);
  const providerId = textAt(noise, 'provider');
  if (providerId === undefined) return;
  const provider = modelProvider(providerId);
  if (provider === undefined) {
    report([...path, 'provider'], 'UNKNOWN_PROVIDER', 'is not a provider that the catalogue has');
  } else if (modelsOfKind(provider, 'noise-cancellation').length === 0) {
    report([...path, 'provider'], 'WRONG_MODEL_KIND', 'has no noise-cancellation model');
  }
}

function checkVoiceProcessing(config: unknown, report: Report): void {
  const voice = property(config, 'voiceProcessing');
  const mode = property(property(voice, 'interruption'), 'mode');
  if (mode === 'vad' && property(voice, 'vad') === undefined) {
    report(['voiceProcessing', 'vad'], 'VAD_REQUIRED', 'is missing: interruption mode vad needs it');
  }
  checkNoiseCancellation(voice, report);
}

function checkCallSummary(config: unknown, { refuseUrl }: AgentConfigContext, report: Report): void {
  const summary = property(config, 'callSummary');
  checkModelEntry(property(summary, 'llm'), 'llm', undefined, ['callSummary', 'llm'], report);
  const url = textAt(property(summary, 'webhook'), 'url');
  const problem = url === undefined ? null : refuseUrl(url);
  if (problem !== null) report(['callSummary', 'webhook', 'url'], 'INVALID_URL', problem);
}

function checkIds(config: unknown, context: AgentConfigContext, report: Report): void {
  listAt(config, 'knowledgeBaseIds').forEach((id, index) => {
    if (typeof id !== 'string' || context.knownKnowledgeBases.has(id)) return;
    report(['knowledgeBaseIds', index], 'UNKNOWN_KNOWLEDGE_BASE', 'is not a knowledge base of this account');
  });
  listAt(config, 'tools').forEach((id, index) => {
    if (typeof id !== 'string' || context.knownTools.has(id)) return;
    report(['tools', index], 'UNKNOWN_TOOL', 'is not a tool of this account');
  });
}

function checkAdvanced(config: unknown, report: Report): void {
  const advanced = property(config, 'advanced');
  const voicemail = property(advanced, 'voicemail');
  const message = property(voicemail, 'message');
  const silent = message === undefined || (typeof message === 'string' && message.trim() === '');
  if (property(voicemail, 'action') === 'message' && silent) {
    report(['advanced', 'voicemail', 'message'], 'REQUIRED', 'is missing: action message needs it');
  }
  const to = textAt(property(advanced, 'transfer'), 'to');
  if (to !== undefined && !isTransferTemplate(to)) {
    report(
      ['advanced', 'transfer', 'to'],
      'INVALID_VALUE',
      'is not an E.164 number, a URI such as sip:desk@pbx.example.com, or a placeholder',
    );
  } else if (to !== undefined && textAt(property(advanced, 'transfer'), 'mode') === 'warm' && isTransferTarget(to)) {
    if (warmTargetNumber(to) !== null) return;
    report(['advanced', 'transfer', 'to'], 'INVALID_VALUE', 'is not a number, which mode warm needs');
  }
}

/** The rules of what all languages share. */
export function checkSharedSettings(config: unknown, context: AgentConfigContext, report: Report): void {
  checkVoiceProcessing(config, report);
  checkCallSummary(config, context, report);
  checkAnalysis(config, report);
  checkIds(config, context, report);
  checkAdvanced(config, report);
}
