/**
 * Where the providers of language models speak the OpenAI protocol, by their id in the catalogue. A test holds that every
 * provider of an `llm` is here; `custom` is at the operator's own address, OUTDIAL_CUSTOM_LLM_URL.
 */
export const llmBaseUrls: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1/',
  'deepseek-ai': 'https://api.deepseek.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai/',
  groq: 'https://api.groq.com/openai/v1',
  moonshotai: 'https://api.moonshot.ai/v1',
  openai: 'https://api.openai.com/v1',
  sarvam: 'https://api.sarvam.ai/v1',
  xai: 'https://api.x.ai/v1',
};

/** The provider whose models are wherever the operator says. */
export const customProvider = 'custom';
