import { Checkbox, Fieldset, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { answered, client, type Schemas } from '../api/client.js';
import { problemAt, problemsOf } from '../api/refused.js';
import { useMayOperate } from '../session/session.js';
import { Problem } from '../ui/problem.js';
import { PreDialFields } from '../ui/pre-dial-fields.js';
import { SaveChanges } from '../ui/save-changes.js';
import { useSavedFields } from '../ui/use-saved-fields.js';
import { StopFields } from '../ui/stop-fields.js';
import { WindowFields } from '../ui/window-fields.js';
import { isAtWindowField } from '../ui/windows.js';
import { Zones } from '../ui/zones.js';
import { RetryFields, ScheduleFields } from './settings-fields.js';
import { changeable, changeOf, type Settings as Fields, settingsOf } from './settings-form.js';

const pathsAtFields =
  /^(name|description|open|maxConcurrentCalls|priority|until|maxCost|stopAfter(\.(answered|success))?|schedule(\.(date|time|timezone))?|retry(\.retryOn(\[\d+\])?|\.retryDelays\[\d+\])?|preDial(\.(url|onError|timeoutMs))?)$/;

/** The paths of those problems that stand at a field of the form. */
const shownAtFields = (error: unknown): readonly string[] =>
  problemsOf(error)
    .map(({ path }) => path)
    .filter((path) => pathsAtFields.test(path) || isAtWindowField(path));

/** What of a batch call can be changed while it goes on, each problem at its field. */
export function Settings({ batch }: { readonly batch: Schemas['BatchCallDetail'] }) {
  const mayOperate = useMayOperate();
  const allowed = changeable(batch);
  const { batchId } = batch;
  const form = useSavedFields(batch, settingsOf, (typed, before) =>
    answered(
      client.PATCH('/v1/batch-calls/{batchId}', {
        params: { path: { batchId } },
        body: changeOf(before, typed, allowed),
      }),
    ),
  );
  const { fields: settings, saving } = form;
  if (!mayOperate) return <Text>Your token may only read: the settings are shown in the overview.</Text>;
  const { error } = saving;
  const onChange = (part: Partial<Fields>) => {
    // What was wrong with the third window says nothing of what is third now.
    if (part.windows !== undefined && part.windows.length < settings.windows.length) saving.reset();
    form.change(part);
  };
  const fields = { settings, onChange, error };
  const isChanged = Object.keys(changeOf(form.saved, settings, allowed)).length > 0;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="settings" maw={760}>
      <Title order={2} size="h4" id="settings" mb="xs">
        Settings
      </Title>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && !saving.isPending) saving.mutate();
        }}
      >
        <Zones />
        <Stack>
          <TextInput
            label="Name"
            value={settings.name}
            error={problemAt(error, 'name')}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          <Textarea
            label="Description"
            autosize={false}
            rows={2}
            value={settings.description}
            error={problemAt(error, 'description')}
            onChange={(event) => onChange({ description: event.currentTarget.value })}
          />
          {allowed.includes('schedule') && <ScheduleFields {...fields} />}
          {allowed.includes('callingWindow') && (
            <Fieldset legend="Calling window">
              <WindowFields values={settings} problems={problemsOf(error)} zone={batch.timezone} onChange={onChange} />
            </Fieldset>
          )}
          {allowed.includes('maxConcurrentCalls') && (
            <TextInput
              label="Maximum concurrent calls"
              description="If empty, as many as the gateway takes. Live calls go on if you lower it."
              inputMode="numeric"
              value={settings.maxConcurrentCalls}
              error={problemAt(error, 'maxConcurrentCalls')}
              onChange={(event) => onChange({ maxConcurrentCalls: event.currentTarget.value })}
            />
          )}
          {allowed.includes('stopAfter') && (
            <StopFields
              value={settings}
              zone={batch.timezone}
              onChange={onChange}
              problemAt={(path) => problemAt(error, path)}
            />
          )}
          {allowed.includes('retry') && <RetryFields {...fields} />}
          {allowed.includes('preDial') && (
            <PreDialFields
              values={settings}
              empty="no check"
              onChange={onChange}
              problemAt={(path) => problemAt(error, path)}
            />
          )}
          {allowed.includes('open') && (
            <Checkbox
              label="Keep it open for more recipients: it does not end by itself"
              checked={settings.open}
              error={problemAt(error, 'open')}
              onChange={(event) => onChange({ open: event.currentTarget.checked })}
            />
          )}
          <Problem error={error} title="Nothing was changed" shownAtFields={shownAtFields(error)} />
          <SaveChanges
            isChanged={isChanged}
            isSaving={saving.isPending}
            isSaved={saving.isSuccess}
            onUndo={form.undo}
          />
        </Stack>
      </form>
    </Paper>
  );
}
