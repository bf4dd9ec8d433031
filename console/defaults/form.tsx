import { Fieldset, Stack } from '@mantine/core';
import { answered, client, type Schemas } from '../api/client.js';
import { problemAt, problemsOf } from '../api/refused.js';
import { bodyOf, type Draft, draftOf, type Field, pathsShown } from '../ui/form/field.js';
import { FieldGroups } from '../ui/form/field-groups.js';
import { preDialOf, type PreDialValues, preDialValuesOf } from '../ui/pre-dial.js';
import { PreDialFields } from '../ui/pre-dial-fields.js';
import { Problem } from '../ui/problem.js';
import { SaveChanges } from '../ui/save-changes.js';
import { useSavedFields } from '../ui/use-saved-fields.js';
import { WindowFields } from '../ui/window-fields.js';
import { callingWindowOf, isAtWindowField, type WindowValues, windowValuesOf } from '../ui/windows.js';
import { Zones } from '../ui/zones.js';

type Defaults = Schemas['AccountDefaults'];

/** Zone of an account that has named none. */
export const usualZone = 'Asia/Calcutta';

const basics: readonly Field<keyof Schemas['PutAccountDefaults']>[] = [
  {
    kind: 'text',
    path: 'timezone',
    label: 'Time zone',
    placeholder: usualZone,
    description: 'For schedules that name none, and for callees whose time zone is unknown',
    suggestions: ['UTC', ...Intl.supportedValuesOf('timeZone')],
  },
  {
    kind: 'text',
    path: 'country',
    label: 'Country',
    placeholder: 'US',
    description: 'Numbers in a file without + are read as numbers of this country. If empty, they are left out',
  },
  {
    kind: 'choice',
    path: 'unfilledPlaceholders',
    label: 'A placeholder without a value',
    options: [
      { value: '', label: 'is allowed (default of the service)' },
      { value: 'allow', label: 'is allowed' },
      { value: 'reject', label: 'is refused: no batch call is made' },
    ],
  },
];

const groups = [{ legend: 'New batch calls', fields: basics }];

/** The defaults as fields have them. */
interface Fields extends WindowValues, PreDialValues {
  readonly basics: Draft;
}

const fieldsOf = (defaults: Defaults): Fields => ({
  basics: draftOf(basics, defaults),
  ...windowValuesOf(defaults.callingWindow),
  ...preDialValuesOf(defaults.preDial),
});

/** The body of PUT, which replaces all of them: what is empty goes back to what the service has. */
function defaultsOf(fields: Fields): Schemas['PutAccountDefaults'] {
  const callingWindow = callingWindowOf(fields);
  const preDial = preDialOf(fields);
  return {
    ...(bodyOf(basics, fields.basics) as Schemas['PutAccountDefaults']),
    ...(callingWindow === null ? {} : { callingWindow }),
    ...(preDial === null ? {} : { preDial }),
  };
}

const isAtField = (path: string): boolean =>
  isAtWindowField(path) || /^preDial(?:\.(?:url|onError|timeoutMs))?$/.test(path);

/** Sets what batch calls go by that do not say otherwise, each problem at its field. */
export function DefaultsForm({ defaults }: { readonly defaults: Defaults }) {
  const { saved, fields, saving, change, undo } = useSavedFields(defaults, fieldsOf, (typed) =>
    answered(client.PUT('/v1/account/defaults', { body: defaultsOf(typed) })),
  );
  const { error } = saving;
  const problems = problemsOf(error);
  const onChange = (part: Partial<Fields>) => {
    // What was wrong with the third window says nothing of what is third now.
    if (part.windows !== undefined && part.windows.length < fields.windows.length) saving.reset();
    change(part);
  };
  const isChanged = JSON.stringify(defaultsOf(fields)) !== JSON.stringify(defaultsOf(saved));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !saving.isPending) saving.mutate();
      }}
    >
      <Zones />
      <Stack>
        <FieldGroups
          groups={groups}
          draft={fields.basics}
          error={error}
          onChange={(path, value) => onChange({ basics: { ...fields.basics, [path]: value } })}
        />
        <Fieldset legend="Calling window">
          <WindowFields
            values={fields}
            problems={problems}
            zone={
              typeof fields.basics.timezone === 'string' && fields.basics.timezone !== ''
                ? fields.basics.timezone
                : usualZone
            }
            otherwise="For batch calls without hours of their own. Otherwise calls start at any hour that the guardrails allow"
            onChange={onChange}
          />
        </Fieldset>
        <Fieldset legend="Pre-dial check">
          <Stack gap="sm">
            <PreDialFields
              values={fields}
              empty="no check"
              onChange={onChange}
              problemAt={(path) => problemAt(error, path)}
            />
          </Stack>
        </Fieldset>
        <Problem
          error={error}
          title="Nothing was changed"
          shownAtFields={[...pathsShown(error, basics), ...problems.map(({ path }) => path).filter(isAtField)]}
        />
        <SaveChanges isChanged={isChanged} isSaving={saving.isPending} isSaved={saving.isSuccess} onUndo={undo} />
      </Stack>
    </form>
  );
}
