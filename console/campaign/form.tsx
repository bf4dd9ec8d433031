import { Paper, Skeleton, Stack, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { defaultsQuery } from '../api/new-batch.js';
import { problemsOf, wordsAt } from '../api/refused.js';
import { windowSaid } from '../batch/said.js';
import { Caller } from '../new-batch/caller.js';
import { type Draft, emptyDraft, isShownAtField } from '../new-batch/draft.js';
import { Retries } from '../new-batch/retries.js';
import { Reading, Settings } from '../new-batch/settings.js';
import { lazyPart } from '../ui/lazy.js';
import { Problem } from '../ui/problem.js';
import { WindowFields } from '../ui/window-fields.js';
import { Zones, zonesId } from '../ui/zones.js';
import { draftOfTemplate, type Template, templateOf } from './template-draft.js';

const Times = lazyPart(
  async () => (await import('./times.js')).Times,
  <Skeleton height={108} role="status" aria-label="Loading" />,
);

/** A campaign as fields have it. */
export interface Fields {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  /** The settings of its batch calls. */
  readonly draft: Draft;
}

/** What a new campaign holds before anything is typed. */
export const proposed: Fields = {
  ...{ name: '', cron: '0 9 * * 1-5', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  draft: emptyDraft,
};

interface Stored {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly template: Template;
}

/** What fields show of a campaign. */
export const fieldsOf = ({ name, cron, timezone, template }: Stored): Fields => ({
  ...{ name, cron, timezone },
  draft: draftOfTemplate(template),
});

/** What a campaign would be by the fields. @param template what it has, and keeps where the fields do not differ from `before` */
export const campaignOf = (fields: Fields, template: Template, before: Fields): Stored => ({
  ...{ name: fields.name, cron: fields.cron.trim(), timezone: fields.timezone.trim() },
  template: templateOf(template, before.draft, fields.draft),
});

/** What of a campaign differs, as PATCH takes it. */
export function changeOf(before: Stored, after: Stored): Partial<Stored> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Stored]);
  return Object.fromEntries(Object.entries(after).filter(differs));
}

const lists = ['windows', 'delays', 'variants'] as const;
const ofTemplate = 'template.';
const own = ['name', 'cron', 'timezone'];

const isAtField = (path: string): boolean =>
  own.includes(path) || (path.startsWith(ofTemplate) && isShownAtField(path.slice(ofTemplate.length)));

interface Props {
  readonly fields: Fields;
  readonly onChange: (part: Partial<Fields>) => void;
  /** What the last attempt to send it was refused with. */
  readonly error: unknown;
  /** The error says nothing of what the fields hold now. */
  readonly onOutdated: () => void;
  readonly onSubmit: () => void;
  /** The number that calls, if the fields do not know it. */
  readonly caller?: string | undefined;
  /** What a refusal is called. */
  readonly refused: string;
  /** The buttons at the end. */
  readonly children: ReactNode;
}

/** When a campaign runs, and the settings of the batch calls that it makes: those of a new batch call. */
export function CampaignForm({ fields, onChange, error, onOutdated, onSubmit, caller, refused, children }: Props) {
  const ofAccount = useQuery(defaultsQuery).data?.callingWindow;
  const all = problemsOf(error);
  const problems = all.flatMap(({ path, message }) =>
    path.startsWith(ofTemplate) ? [{ path: path.slice(ofTemplate.length), message }] : [],
  );
  const draft = { ...fields.draft, timezone: fields.timezone };
  const section = {
    draft,
    change: (part: Partial<Draft>) => {
      // What was wrong with the third window, retry or agent says nothing of what is third now.
      if (lists.some((list) => (part[list]?.length ?? Infinity) < draft[list].length)) onOutdated();
      onChange({ draft: { ...fields.draft, ...part } });
    },
    problems,
    problemAt: (path: string) => wordsAt(problems, path),
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Zones />
      <Stack maw={760}>
        <Paper withBorder p="md" component="section" aria-labelledby="campaign">
          <Title order={2} size="h4" id="campaign" mb="xs">
            The campaign
          </Title>
          <Stack gap="sm">
            <TextInput
              label="Name"
              value={fields.name}
              error={wordsAt(all, 'name')}
              onChange={(event) => onChange({ name: event.currentTarget.value })}
            />
            <TextInput
              label="Runs at"
              description="cron: minute, hour, day of the month, month, day of the week"
              placeholder="0 9 * * 1-5"
              autoComplete="off"
              spellCheck={false}
              value={fields.cron}
              error={wordsAt(all, 'cron')}
              onChange={(event) => onChange({ cron: event.currentTarget.value })}
            />
            <TextInput
              label="Time zone"
              description="Of these times"
              placeholder="America/New_York"
              list={zonesId}
              value={fields.timezone}
              error={wordsAt(all, 'timezone')}
              onChange={(event) => onChange({ timezone: event.currentTarget.value })}
            />
            <Times cron={fields.cron} zone={fields.timezone.trim()} />
            <TextInput
              label="Name of the batch calls"
              description="If empty, the name of the campaign with the time of the run"
              value={draft.name}
              error={section.problemAt('name')}
              onChange={(event) => section.change({ name: event.currentTarget.value })}
            />
          </Stack>
        </Paper>
        <Caller {...section} unchosen={caller} />
        <Paper withBorder p="md" component="section" aria-labelledby="timing">
          <Title order={2} size="h4" id="timing" mb="xs">
            When calls may start
          </Title>
          <WindowFields
            values={draft}
            problems={problems}
            zone={fields.timezone}
            otherwise={
              ofAccount === undefined
                ? 'Otherwise at any hour that the guardrails of the account allow'
                : `Otherwise in those of the account: ${windowSaid(ofAccount)}`
            }
            onChange={section.change}
          />
        </Paper>
        <Retries {...section} />
        <Reading {...section} title="How recipients are read" />
        <Settings {...section} isRepeated />
        <Problem error={error} title={refused} shownAtFields={all.map(({ path }) => path).filter(isAtField)} />
        {children}
      </Stack>
    </form>
  );
}
