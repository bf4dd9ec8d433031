import type { Choices } from '../api/agents.js';
import { valueAt } from '../ui/form/path.js';
import type { Field } from '../ui/form/field.js';
import type { FieldGroup } from '../ui/form/field-groups.js';

type Kind = Choices['models'][number]['kind'];

/** The names of the languages that a config has, in their order. */
export const languagesOf = (config: unknown): readonly string[] => Object.keys(valueAt(config, 'languages') ?? {});

const slugs = ({ models }: Choices, kind: Kind) =>
  models.filter((model) => model.kind === kind).map(({ model }) => model);
const ofService = 'If empty, the default of the service';

function modelFields(at: string, choices: Choices): readonly Field[] {
  const own = { description: ofService } as const;
  const voices = [...new Set(choices.models.flatMap((model) => model.voices ?? []))];
  return [
    { kind: 'text', path: `${at}.stt[0].model`, label: 'Speech to text', suggestions: slugs(choices, 'stt'), ...own },
    { kind: 'secret', path: `${at}.stt[0].apiKey`, label: 'Speech-to-text key' },
    { kind: 'text', path: `${at}.llm[0].model`, label: 'Language model', suggestions: slugs(choices, 'llm'), ...own },
    { kind: 'secret', path: `${at}.llm[0].apiKey`, label: 'Language model key' },
    { kind: 'text', path: `${at}.tts[0].model`, label: 'Text to speech', suggestions: slugs(choices, 'tts'), ...own },
    { kind: 'secret', path: `${at}.tts[0].apiKey`, label: 'Text-to-speech key' },
    {
      kind: 'text',
      path: `${at}.tts[0].voice`,
      label: 'Voice',
      description: 'The provider’s id of the voice',
      suggestions: voices,
    },
    {
      kind: 'text',
      path: `${at}.realtime[0].model`,
      label: 'Speech to speech',
      description: 'One model in place of the three above',
      suggestions: slugs(choices, 'realtime'),
    },
  ];
}

const turnFields = (at: string, choices: Choices): readonly Field[] => [
  { kind: 'number', path: `${at}.wakeUp.afterSeconds`, label: 'Speak up after a silence of, in seconds' },
  { kind: 'text', path: `${at}.wakeUp.message`, label: 'What to say' },
  { kind: 'check', path: `${at}.wakeUp.enabled`, label: 'Speak up when the callee falls silent' },
  { kind: 'text', path: `${at}.endCall.when`, label: 'Hang up when', description: 'Such as: the callee says goodbye' },
  { kind: 'text', path: `${at}.endCall.message`, label: 'What to say before hanging up' },
  { kind: 'check', path: `${at}.endCall.enabled`, label: 'Hang up by itself' },
  {
    kind: 'text',
    path: `${at}.turnDetection.model`,
    label: 'Turn detection',
    suggestions: slugs(choices, 'turn-detection'),
  },
  {
    kind: 'number',
    path: `${at}.turnDetection.minWaitSeconds`,
    label: 'Answer after a silence of at least, in seconds',
  },
];

/** The fields of one language. */
const languageGroups = (name: string, choices: Choices): readonly FieldGroup[] => {
  const at = `languages.${name}`;
  return [
    {
      legend: `In ${name}`,
      fields: [
        {
          kind: 'long',
          path: `${at}.greeting.text`,
          label: 'Greeting',
          description:
            'Write columns of the file in double braces, such as {{name}}. If empty, the callee speaks first',
          rows: 2,
        },
        { kind: 'long', path: `${at}.prompt`, label: 'Prompt', isRequired: true, rows: 12 },
        {
          kind: 'check',
          path: `${at}.greeting.interruptible`,
          label: 'The callee may interrupt it',
          isOnByDefault: true,
        },
      ],
    },
    { legend: `Models and voice in ${name}`, fields: modelFields(at, choices), isRare: true },
    { legend: `Silence, turns and the end of the call in ${name}`, fields: turnFields(at, choices), isRare: true },
  ];
};

const named = <Item extends { readonly name: string }>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  ids: unknown,
) => {
  const known = items.map((item) => ({ value: idOf(item), label: item.name }));
  const others = (Array.isArray(ids) ? ids.map(String) : []).filter((id) => known.every(({ value }) => value !== id));
  return [...known, ...others.map((value) => ({ value, label: value }))];
};

/** The fields of a config, for those languages that it has. What stands in none of them is kept as it is. */
export function configGroups(config: unknown, choices: Choices): readonly FieldGroup[] {
  const languages = languagesOf(config);
  const tools = named(choices.tools, ({ toolId }) => toolId, valueAt(config, 'tools'));
  const bases = named(
    choices.knowledgeBases,
    ({ knowledgeBaseId }) => knowledgeBaseId,
    valueAt(config, 'knowledgeBaseIds'),
  );
  const none = { value: '', label: 'default of the service' };
  return [
    {
      legend: 'Agent',
      fields: [
        { kind: 'text', path: 'name', label: 'Name', isRequired: true },
        {
          kind: 'choice',
          path: 'defaultLanguage',
          label: 'Language',
          options: [none, ...languages.map((value) => ({ value, label: value }))],
        },
      ],
    },
    ...languages.flatMap((name) => languageGroups(name, choices)),
    ...(tools.length + bases.length === 0
      ? []
      : [
          {
            legend: 'Tools and knowledge',
            fields: [
              { kind: 'several', path: 'tools', label: 'Tools', options: tools },
              { kind: 'several', path: 'knowledgeBaseIds', label: 'Knowledge bases', options: bases },
            ] as const,
          },
        ]),
    {
      legend: 'Voicemail, transfer, callbacks and summary',
      isRare: true,
      fields: [
        {
          kind: 'choice',
          path: 'advanced.voicemail.action',
          label: 'If voicemail answers',
          options: [
            none,
            { value: 'hangup', label: 'hang up' },
            { value: 'message', label: 'leave a message' },
            { value: 'ignore', label: 'keep talking' },
          ],
        },
        { kind: 'text', path: 'advanced.voicemail.message', label: 'Voicemail message' },
        {
          kind: 'text',
          path: 'advanced.transfer.to',
          label: 'Transfer calls to',
          description:
            'A number, a sip: or tel: address, or a column in double braces. If empty, it transfers no calls',
        },
        { kind: 'text', path: 'callSummary.webhook.url', label: 'Send summaries to' },
        { kind: 'check', path: 'callSummary.enabled', label: 'Summarize each answered call' },
        {
          kind: 'check',
          path: 'advanced.callbacks.enabled',
          label: 'Let callees of batch calls name a time for a callback',
        },
      ],
    },
  ];
}
