import type { Section } from './statement.js';

const problems = 'unit/domain/agent-config-problems';
const stored = 'unit/domain/agent-config-stored';

export const serviceAgents: readonly Section[] = [
  {
    source: 'service',
    heading: 'AgentConfig',
    statements: [
      [
        'config.name-languages',
        'A config needs a name and languages',
        'api/agents/create/400: the body %j lacks name and languages',
        `${problems}: %j = %j`,
      ],
      [
        'config.default-language',
        'defaultLanguage names a language, in any casing',
        `${stored}: names are resolved`,
        `${problems}: %j = %j`,
      ],
      [
        'config.languages-by-name',
        'Keys of languages are names of languages',
        `${problems}: %j = %j`,
        'api/agents/languages/200: languages are listed',
      ],
      ['config.knowledge-bases', 'knowledgeBaseIds name knowledge bases of the account', `${problems}: %j = %j`],
      ['config.tools', 'tools name tools of the account', `${problems}: %j = %j`],
      [
        'config.update-replaces',
        'An update replaces the whole config, lists too: what is left out is gone',
        'api/agents/update/200: an update replaces the whole config',
      ],
      [
        'config.advanced',
        'advanced is an object of further settings',
        `${stored}: what the service does not know inside advanced`,
      ],
      ['config.any-json', 'Whatever JSON is sent gets an answer', 'property/agent-config: any JSON gets an answer'],
    ],
  },
  {
    source: 'service',
    heading: 'LanguageBlock',
    statements: [
      ['block.prompt', 'Each block has a prompt', `${problems}: %j = %j`],
      [
        'block.greeting',
        'greeting has a text, and interruptible is the same in every language',
        `${problems}: a disagreement is reported`,
        `${problems}: %j = %j`,
      ],
      [
        'block.realtime',
        'With a realtime model stt, llm and tts of the block are ignored',
        `${stored}: beside a realtime model`,
      ],
      ['block.tts-voice', 'Each text-to-speech entry needs a voice', `${problems}: %j = %j`],
      [
        'block.turn-detection',
        'turnDetection: a model slug, mode default or adaptive, threshold 0 to 1, waits of 0 and more',
        `${problems}: %j = %j`,
        'property/agent-config: a value of any kind in any place',
      ],
      ['block.waits', 'maxWaitSeconds is at least minWaitSeconds', `${problems}: %j = %j`],
      ['block.wake-up', 'An enabled wakeUp needs afterSeconds and message', `${problems}: %j = %j`],
      [
        'block.end-call',
        'enabled and when of endCall are the same in every language',
        `${problems}: a disagreement is reported`,
      ],
    ],
  },
  {
    source: 'service',
    heading: 'ModelSlot and ModelEntry',
    statements: [
      [
        'model.order',
        'The first entry is primary, the rest are fallbacks in order',
        `${stored}: nothing is added`,
        'unit/domain/agent-deploy: an apiKey in the config stands in',
      ],
      [
        'model.only-these-fields',
        'An entry has model, voice, language, apiKey and nothing else',
        `${problems}: %j = %j`,
      ],
      [
        'model.slug',
        'model is a slug of provider and model id',
        `${problems}: %j = %j`,
        'unit/domain/model-catalog: finds every model by its slug',
      ],
      [
        'model.language',
        'language asks for a regional variant; left out it is the plain code',
        `${problems}: %j = %j`,
        'unit/domain/model-catalog: know their variants',
      ],
      [
        'model.api-key-masked',
        'Responses show an apiKey as bullets and its last four characters',
        `${stored}: the key %s is shown as %s`,
        'api/agents/create/201: a provider',
      ],
      [
        'model.api-key-full',
        'A masked apiKey that is sent is refused',
        'api/agents/create/400: a masked key',
        'api/agents/update/400: a config that was read and sent back',
        'property/agent-config: sending a stored config back',
      ],
      [
        'model.own-key',
        'An apiKey takes the place of the service’s own',
        'unit/domain/agent-deploy: an apiKey in the config stands in',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'VoiceProcessing and callSummary',
    statements: [
      [
        'voice.vad',
        'vad needs sensitivity low, medium or high; threshold is 0 to 1, durations 0 and more',
        `${problems}: %j = %j`,
      ],
      [
        'voice.interruption',
        'interruption mode is hybrid, vad or stt, durations 0 and more, minWords a whole number',
        `${problems}: %j = %j`,
      ],
      ['voice.vad-required', 'Interruption mode vad needs a vad block', `${problems}: %j = %j`],
      ['voice.noise', 'noiseCancellation has a model or a provider', `${problems}: %j = %j`],
      [
        'summary.shape',
        'callSummary has enabled, llm, instruction and a webhook with a URL',
        `${problems}: the complete example`,
        'api/agents/create/400: call summaries are not sent to %s',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'Agent (response) and agent status',
    statements: [
      [
        'agent.fields',
        'An agent has agentId, name, status, deploymentId, createdAt, updatedAt; with its config versionId and config',
        'api/agents/create/201: a new agent that deploys',
        'api/agents/get/200: an agent is answered',
      ],
      [
        'agent.names-resolved',
        'The config is answered as stored, with names resolved',
        'api/agents/create/201: names are resolved',
      ],
      [
        'agent.playground',
        'playgroundUrl is answered on create only and carries the caller’s token',
        'api/agents/create/201: the playground',
        'api/agents/get/200: reading an agent twice',
      ],
      [
        'agent.first-deploy',
        'A new agent is deployed to the default region and is active',
        'api/agents/create/201: a new agent that deploys',
        'workflow/deploy-agent: a deployment goes live, the one before',
      ],
      [
        'agent.first-deploy-fails',
        'Where the first deploy cannot run the agent is inactive',
        'api/agents/create/201: where the deploy cannot run',
        'workflow/deploy-agent: without an active API key',
      ],
      [
        'agent.update-keeps-status',
        'An update changes neither status nor what runs',
        'api/agents/update/200: what runs is left alone',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'POST /v1/agents and PUT /v1/agents/{agentId}',
    statements: [
      [
        'agents.create',
        'Creating makes the agent with its first version',
        'api/agents/create/201: a new agent that deploys',
      ],
      [
        'agents.create.all-problems',
        'Everything wrong with a config is answered at once',
        'api/agents/create/400: every problem of a config',
        `${problems}: every problem of a config`,
      ],
      [
        'agents.update.version-name',
        'versionName labels the version; without it the label is Updated via API',
        'api/agents/update/200: every update is a version',
      ],
      [
        'agents.update.new-version',
        'An update is saved as a new version and answered with it',
        'api/agents/update/200: every update is a version',
      ],
      [
        'agents.update.400',
        'A config that is not valid is 400 {status, errors: [{path, code, message}]}',
        'api/agents/update/400: a config that is wrong',
        'api/agents/create/400: every problem of a config',
      ],
      ['agents.update.404', 'An agent that is not there is 404 {error}', 'api/agents/update/404: another account'],
      [
        'agents.paths',
        'Paths are dotted, with [i] in lists, such as languages.english.tts[0].voice',
        `${problems}: every problem of a config`,
        'property/agent-config: problems come sorted',
      ],
    ],
  },
];
