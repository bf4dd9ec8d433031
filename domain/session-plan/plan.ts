import { type ModelDefaults, resolveDefaults } from '../agent-config/defaults.js';
import { textAt } from '../input/json-value.js';
import type { AgentConfig, LanguageBlock } from '../agent-config/schema.js';
import { type Language, languageCoded, languageNamed } from '../agent/languages.js';
import { placeholdersIn, renderTemplate } from '../agent/template.js';
import { isTransferTarget } from '../call/transfer-target.js';
import { warmTargetNumber } from '../call/warm-transfer.js';
import { instructionsFor } from './instructions.js';
import { modelChoice, speechPlan } from './models.js';
import { interruptionPlan, turnPlan, vadPlan, wakeUpPlan } from './turn-taking.js';
import type { CallFacts, LanguagePlan, SessionPlan, VoicemailPlan } from './types.js';

/** Languages by the name of their block; only names of the table are ever stored. */
const knownLanguage = (name: string): Language => languageNamed(name) ?? { name, code: name, variants: [] };

/** The language of the agent that this name or code means, or null. */
export function languageMeant(text: string, present: readonly string[]): string | null {
  const asked = text.trim();
  const found = languageNamed(asked) ?? languageCoded(asked.split('-')[0] ?? '');
  return found !== undefined && present.includes(found.name) ? found.name : null;
}

/** The language that a recipient, a row or a caller asks for, if the agent has it. */
const languageAsked = ({ language, metadata }: CallFacts, present: readonly string[]): string | null =>
  languageMeant(language ?? textAt(metadata, 'language') ?? '', present);

// Placeholders are filled by then with whatever the row held.
const dialable = (text: string | null): string | null => (text !== null && isTransferTarget(text) ? text : null);

/** A template writer that remembers what had no value. */
function templatesOf({ metadata, agentMetadata }: CallFacts) {
  const missing = new Set<string>();
  const render = (text: string): string => {
    const rendered = renderTemplate(text, [metadata, agentMetadata]);
    for (const name of rendered.missing) missing.add(name);
    return rendered.text;
  };
  /** null if there is nothing to say, before or after the values are in. */
  const message = (text: string | undefined): string | null => {
    const rendered = text === undefined ? '' : render(text).trim();
    return rendered === '' ? null : rendered;
  };
  return { missing, render, message };
}

/**
 * Plans the conversation of a call: which languages, words and models, and how turns are taken. Pure, so that every field
 * of a config is tested without a telephone; `agent/` carries it out.
 *
 * @param config of the version that was live when the attempt was dialed, as stored
 * @param defaults models that the version's deployment has pinned
 */
export function sessionPlan(config: AgentConfig, call: CallFacts, defaults: ModelDefaults): SessionPlan {
  const resolved = resolveDefaults(config, defaults);
  const { voiceProcessing, advanced = {}, tools: toolIds = [], knowledgeBaseIds = [] } = resolved;
  const { missing, render, message } = templatesOf(call);
  const names = Object.keys(resolved.languages);
  const language = languageAsked(call, names) ?? resolved.defaultLanguage;
  const { callbacks } = advanced;
  const callBack =
    callbacks?.enabled === true && call.canCallBack === true
      ? { withinDays: callbacks.withinDays ?? 14, most: callbacks.most ?? 3 }
      : null;
  const transferMode = advanced.transfer?.mode === 'warm' ? ('warm' as const) : ('cold' as const);
  const target = dialable(message(advanced.transfer?.to));
  const transferTo = target !== null && transferMode === 'warm' && warmTargetNumber(target) === null ? null : target;

  const languagePlan = (name: string, block: LanguageBlock): LanguagePlan => {
    const known = knownLanguage(name);
    const greeting = message(block.greeting?.text);
    const isShared = placeholdersIn(block.greeting?.text ?? '').length === 0;
    const endCall =
      block.endCall?.enabled === true
        ? { when: message(block.endCall.when), message: message(block.endCall.message) }
        : null;
    const rules = {
      language: name,
      otherLanguages: names.filter((other) => other !== name),
      endCall,
      canTransfer: transferTo !== null,
      canCallBack: callBack !== null,
      hasKnowledge: knowledgeBaseIds.length > 0,
      dtmf: call.dtmf,
    };
    return {
      name,
      code: known.code,
      instructions: instructionsFor(render(block.prompt), rules, call),
      greeting:
        greeting === null ? null : { text: greeting, interruptible: block.greeting?.interruptible ?? true, isShared },
      speech: speechPlan(name, known, block),
      turn: turnPlan(block, known),
      wakeUp: wakeUpPlan(block, message(block.wakeUp?.message)),
      endCall,
    };
  };

  const voicemailPlan = (): VoicemailPlan | null => {
    const { voicemail } = advanced;
    if (voicemail === undefined) return null;
    const spoken = knownLanguage(language);
    const isRealtime = (resolved.languages[language]?.realtime ?? []).length > 0;
    const judges = isRealtime
      ? {
          stt: modelChoice({ model: defaults.stt }, 'stt', spoken, ''),
          llm: modelChoice({ model: defaults.llm }, 'llm', spoken, ''),
        }
      : null;
    return { action: voicemail.action, message: message(voicemail.message), judges };
  };

  const languages = Object.entries(resolved.languages).map(([name, block]) => languagePlan(name, block));
  return {
    language,
    languages,
    disclosure: call.disclosure,
    vad: vadPlan(voiceProcessing?.vad),
    interruption: interruptionPlan(voiceProcessing?.interruption),
    noiseCancellation: call.noiseCancellation || voiceProcessing?.noiseCancellation !== undefined,
    voicemail: voicemailPlan(),
    transferTo,
    transferMode,
    callbacks: callBack,
    toolIds,
    knowledgeBaseIds,
    dtmf: call.dtmf,
    missing: [...missing],
  };
}
