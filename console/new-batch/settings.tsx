import { Checkbox, Group, NativeSelect, Paper, Stack, TextInput, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { defaultsQuery } from '../api/new-batch.js';
import { PreDialChoice } from '../ui/pre-dial-choice.js';
import type { Draft, SectionProps } from './draft.js';
import { StopFields } from '../ui/stop-fields.js';
import classes from './new-batch.module.css';

const events = [
  { value: 'batchcall-started', label: 'When it starts' },
  { value: 'batchcall-completed', label: 'When it is over' },
];

/** One of these, or what the field was. */
const oneOf = <Word extends string>(words: readonly Word[], chosen: string, before: Word): Word =>
  words.find((word) => word === chosen) ?? before;

const plusRules: readonly Draft['plus'][] = ['account', 'reject', 'add', 'country'];
const placeholderRules: readonly Draft['placeholders'][] = ['account', 'allow', 'reject'];

interface ReadingProps extends SectionProps {
  /** Of recipients that come from no file. */
  readonly title?: string;
}

/** How the file is read: numbers without +, rows that are there twice, placeholders that a row leaves empty. */
export function Reading({ draft, change, problemAt, title = 'How the file is read' }: ReadingProps) {
  const defaults = useQuery(defaultsQuery).data;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="reading">
      <Title order={2} size="h4" id="reading" mb="xs">
        {title}
      </Title>
      <Stack gap="sm">
        <Group align="start" gap="sm">
          <NativeSelect
            label="Numbers without +"
            value={draft.plus}
            data={[
              {
                value: 'account',
                label: `As for the account: ${defaults?.country === undefined ? 'not called' : `numbers of ${defaults.country}`}`,
              },
              { value: 'reject', label: 'Not called' },
              { value: 'add', label: 'Put a + in front if that gives a number' },
              { value: 'country', label: 'Read as numbers of a country' },
            ]}
            onChange={(event) => change({ plus: oneOf(plusRules, event.currentTarget.value, draft.plus) })}
          />
          {draft.plus === 'country' && (
            <TextInput
              className={classes.short ?? ''}
              label="Country"
              placeholder="US"
              maxLength={2}
              value={draft.country}
              error={problemAt('defaultCountry')}
              onChange={(event) => change({ country: event.currentTarget.value.toUpperCase() })}
            />
          )}
        </Group>
        <NativeSelect
          label="Numbers that appear twice"
          value={draft.duplicates}
          data={[
            { value: 'call', label: 'Called again if the row has other data' },
            { value: 'skip', label: 'Called once' },
          ]}
          onChange={(event) => change({ duplicates: oneOf(['call', 'skip'], event.currentTarget.value, 'call') })}
        />
        <NativeSelect
          label="Placeholders that a row leaves empty"
          value={draft.placeholders}
          data={[
            {
              value: 'account',
              label: `As the account does: ${defaults?.unfilledPlaceholders === 'reject' ? 'the row is not called' : 'nothing is said in its place'}`,
            },
            { value: 'allow', label: 'Nothing is said in its place' },
            { value: 'reject', label: 'The row is not called' },
          ]}
          onChange={(event) =>
            change({ placeholders: oneOf(placeholderRules, event.currentTarget.value, draft.placeholders) })
          }
        />
      </Stack>
    </Paper>
  );
}

interface SettingsProps extends SectionProps {
  /** Of batch calls that are made again and again. */
  readonly isRepeated?: boolean;
}

/** How much it may do at once, and who is told of it. */
export const Settings = ({ draft, change, problemAt, isRepeated = false }: SettingsProps) => {
  const ofAccount = useQuery(defaultsQuery).data?.preDial;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="settings">
      <Title order={2} size="h4" id="settings" mb="xs">
        Limits and webhook
      </Title>
      <Stack gap="sm">
        <Textarea
          label="Description"
          rows={2}
          value={draft.description}
          error={problemAt('description')}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <TextInput
          label="Maximum concurrent calls"
          description="If empty, as many as the gateway takes"
          inputMode="numeric"
          value={draft.most}
          error={problemAt('maxConcurrentCalls')}
          onChange={(event) => change({ most: event.currentTarget.value.trim() })}
        />
        <StopFields
          value={draft}
          zone={draft.timezone}
          onChange={change}
          problemAt={problemAt}
          hasMoment={!isRepeated || draft.stopsAt !== ''}
        />
        <PreDialChoice values={draft} ofAccount={ofAccount} onChange={change} problemAt={problemAt} />
        <TextInput
          label="Webhook"
          description="An https address that receives the events. If empty, there is none"
          type="url"
          value={draft.endpoint}
          error={problemAt('webhook.endpoint')}
          onChange={(event) => change({ endpoint: event.currentTarget.value.trim() })}
        />
        {draft.endpoint !== '' && (
          <Checkbox.Group
            label="Events"
            value={[...draft.events]}
            error={problemAt('webhook.events')}
            onChange={(chosen) => change({ events: chosen })}
          >
            <Group mt={4}>
              {events.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
      </Stack>
    </Paper>
  );
};
