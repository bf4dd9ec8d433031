import { Checkbox, Fieldset, Paper, SimpleGrid, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { answered, client, type Schemas } from '../api/client.js';
import { problemAt, Refused } from '../api/refused.js';
import { useMayOperate } from '../session/session.js';
import { DaysField } from '../ui/days-field.js';
import { Problem } from '../ui/problem.js';
import { SaveChanges } from '../ui/save-changes.js';
import { useSavedFields } from '../ui/use-saved-fields.js';
import { bodyOf, fieldsOf } from './form.js';

const pathsAtFields =
  /^(callingHours(\.(from|until|daysOfWeek(\[\d+\])?))?|maxAttemptsPerNumberPerDay|allowedCountries(\[\d+\])?|refusePremiumRate|refuseSatellite|disclosure)$/;

/** What the operator of the service allows at most, in words; none: everything. */
function operatorLimitsSaid({ operatorLimits }: Schemas['Guardrails']): readonly string[] {
  if (operatorLimits === undefined) return [];
  const { callingHours, maxAttemptsPerNumberPerDay, allowedCountries, refusePremiumRate, refuseSatellite } =
    operatorLimits;
  return [
    ...(callingHours === undefined ? [] : [`calls from ${callingHours.from} to ${callingHours.until}`]),
    ...(maxAttemptsPerNumberPerDay === undefined ? [] : [`${maxAttemptsPerNumberPerDay} attempts per number and day`]),
    ...(allowedCountries === undefined ? [] : [`the countries ${allowedCountries.join(', ')}`]),
    ...(refusePremiumRate === true ? ['no premium-rate numbers'] : []),
    ...(refuseSatellite === true ? ['no satellite numbers'] : []),
  ];
}

/** The limits of every call of the account, each problem at its field. */
export function GuardrailsForm({ guardrails }: { readonly guardrails: Schemas['Guardrails'] }) {
  const mayOperate = useMayOperate();
  const { saved, fields, saving, change, undo } = useSavedFields(guardrails, fieldsOf, (typed) =>
    answered(client.PUT('/v1/account/guardrails', { body: bodyOf(typed) })),
  );
  const { error } = saving;
  const isChanged = JSON.stringify(fields) !== JSON.stringify(saved);
  const operatorLimits = operatorLimitsSaid(guardrails);
  const shownAtFields =
    error instanceof Refused ? error.problems.map(({ path }) => path).filter((path) => pathsAtFields.test(path)) : [];
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="limits">
      <Title order={2} size="h4" id="limits" mb="xs">
        Limits of every call
      </Title>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && !saving.isPending) saving.mutate();
        }}
      >
        <Fieldset variant="unstyled" disabled={!mayOperate}>
          <Stack>
            {operatorLimits.length > 0 && (
              <Text size="sm">The operator of the service allows at most: {operatorLimits.join('; ')}.</Text>
            )}
            <Fieldset legend="Calling hours">
              <Stack gap="sm">
                <Checkbox
                  label="Calls start at certain hours only, in the time zone of each callee"
                  checked={fields.hasHours}
                  error={problemAt(error, 'callingHours')}
                  onChange={(event) => change({ hasHours: event.currentTarget.checked })}
                />
                {fields.hasHours && (
                  <>
                    <SimpleGrid cols={{ base: 1, xs: 2 }}>
                      <TextInput
                        label="From"
                        description="HH:MM"
                        value={fields.from}
                        error={problemAt(error, 'callingHours.from')}
                        onChange={(event) => change({ from: event.currentTarget.value })}
                      />
                      <TextInput
                        label="Until"
                        description="HH:MM, up to 24:00"
                        value={fields.until}
                        error={problemAt(error, 'callingHours.until')}
                        onChange={(event) => change({ until: event.currentTarget.value })}
                      />
                    </SimpleGrid>
                    <DaysField
                      daysOfWeek={fields.daysOfWeek}
                      error={problemAt(error, 'callingHours.daysOfWeek')}
                      onChange={(daysOfWeek) => change({ daysOfWeek })}
                    />
                  </>
                )}
              </Stack>
            </Fieldset>
            <TextInput
              label="Maximum attempts per number and day"
              description="In all batch calls, retries and single calls. If empty, there is no limit."
              inputMode="numeric"
              value={fields.mostAttempts}
              error={problemAt(error, 'maxAttemptsPerNumberPerDay')}
              onChange={(event) => change({ mostAttempts: event.currentTarget.value })}
            />
            <TextInput
              label="Countries that may be called"
              description={`Such as US, GB; 001 stands for numbers of no country. If empty, the countries of the account’s own numbers. In force now: ${guardrails.countriesInForce.length === 0 ? 'none' : guardrails.countriesInForce.join(', ')}.`}
              value={fields.countries}
              error={problemAt(error, 'allowedCountries')}
              onChange={(event) => change({ countries: event.currentTarget.value })}
            />
            <Checkbox
              label="Refuse premium-rate numbers"
              checked={fields.refusePremiumRate}
              error={problemAt(error, 'refusePremiumRate')}
              onChange={(event) => change({ refusePremiumRate: event.currentTarget.checked })}
            />
            <Checkbox
              label="Refuse satellite numbers"
              checked={fields.refuseSatellite}
              error={problemAt(error, 'refuseSatellite')}
              onChange={(event) => change({ refuseSatellite: event.currentTarget.checked })}
            />
            <Textarea
              label="Announcement before the greeting"
              description="Every callee hears it first. If empty, there is none."
              rows={2}
              value={fields.disclosure}
              error={problemAt(error, 'disclosure')}
              onChange={(event) => change({ disclosure: event.currentTarget.value })}
            />
            <Problem error={error} title="Nothing was changed" shownAtFields={shownAtFields} />
            {mayOperate && (
              <SaveChanges isChanged={isChanged} isSaving={saving.isPending} isSaved={saving.isSuccess} onUndo={undo}>
                {isChanged && (
                  <Text size="sm">
                    It holds at once for every call that has not been dialed yet, in running batch calls too.
                  </Text>
                )}
              </SaveChanges>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Paper>
  );
}
