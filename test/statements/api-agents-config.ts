import type { Section } from './statement.js';

const agents = 'api/agents';
const problems = 'unit/domain/agent-config-problems';

export const apiAgentsConfig: readonly Section[] = [
  {
    source: 'api',
    heading: 'Agents: validation',
    statements: [
      ['validation.sorted', 'Problems are sorted by path', 'property/agent-config: problems come sorted'],
      ['validation.codes', 'Each code has an example', `${problems}: every code but that of malformed JSON`],
      ['validation.codes-in-docs', 'The docs have the table of codes', `${problems}: docs/validation-codes.md`],
      ['validation.unknown-key-path', 'The path of an unknown key is its own', `${problems}: %j = %j`],
      [
        'validation.languages-agree',
        'A disagreement is at every block that has the object, after the first',
        `${problems}: a disagreement is reported`,
      ],
      [
        'validation.duplicate-language',
        'A language that comes twice in other casing is a problem',
        `${problems}: %j = %j`,
      ],
      [
        'validation.default-language',
        'defaultLanguage is english where there, else the first',
        'unit/domain/agent-deploy: of %j with default',
      ],
      [
        'validation.limits',
        'Names of 256, prompts of 100,000, texts of 5,000 characters, a body of 1 MB',
        `${agents}/create/201: a name of 256`,
        `${agents}/create/413: a body of 1 MB`,
        `${problems}: %j = %j`,
      ],
      [
        'validation.nothing-added',
        'Nothing is added to what is stored',
        'unit/domain/agent-config-stored: nothing is added',
        'property/agent-config: storing neither',
      ],
      [
        'validation.realtime',
        'Slots beside realtime are dropped unread',
        'unit/domain/agent-config-stored: beside a realtime model',
      ],
      [
        'validation.languages',
        'GET /v1/languages lists the languages',
        `${agents}/languages/200: languages are listed`,
      ],
      [
        'validation.models',
        'GET /v1/models lists the models, by kind, provider and language',
        `${agents}/models/200: ?kind`,
        `${agents}/models/200: filters narrow`,
      ],
      [
        'validation.catalogue',
        'Each model that is listed works in a config',
        `${agents}/models/200: every model`,
        'unit/domain/model-catalog: has the providers',
      ],
      [
        'validation.masks',
        'Keys of four characters or fewer show bullets only',
        'unit/domain/agent-config-stored: the key %s',
        'property/agent-config: a mask shows',
      ],
      ['validation.sealed', 'Keys are stored encrypted', `${agents}/create/201: a provider`],
      [
        'validation.playground-fragment',
        'The token is in the fragment of playgroundUrl',
        `${agents}/create/201: the playground`,
      ],
      ['validation.knowledge-base', 'An unknown knowledge base or tool is a problem', `${problems}: %j = %j`],
      ['validation.url', 'A webhook URL that must not be is a problem', `${agents}/create/400: call summaries`],
    ],
  },
  {
    source: 'api',
    heading: 'Agents: languages and templates',
    statements: [
      [
        'language.call',
        'A call speaks the language of its metadata where the agent has it',
        'unit/domain/agent-deploy: of %j with default',
      ],
      [
        'template.sources',
        'A placeholder takes the call’s metadata, then agentMetadata',
        'unit/domain/template: the nearest source',
      ],
      [
        'template.missing',
        'A missing one renders empty and is named',
        'unit/domain/template: a column without a value',
      ],
      [
        'template.data',
        'Values are data',
        'unit/domain/template: a value is put in as data',
        'property/agent-config: rendering puts',
      ],
      [
        'advanced.known',
        'advanced knows voicemail and transfer and keeps other keys',
        `${problems}: %j = %j`,
        'unit/domain/agent-config-stored: what the service does not know',
      ],
    ],
  },
];
