import { Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { windowSaid } from '../batch/said.js';
import { answered, client, type Schemas } from '../api/client.js';
import { defaultsQuery } from '../api/new-batch.js';
import { useMayOperate } from '../session/session.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import type { Field } from '../ui/form/field.js';
import type { FieldGroup } from '../ui/form/field-groups.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Page } from '../ui/page.js';
import { weekDays } from '../ui/week-days.js';

type Defaults = Schemas['AccountDefaults'];
type Path =
  | keyof Schemas['PutAccountDefaults']
  | `preDial.${keyof Schemas['NewPreDial']}`
  | `callingWindow.${keyof Schemas['NewCallingWindow']}`;

const basics: readonly Field<Path>[] = [
  {
    kind: 'text',
    path: 'timezone',
    label: 'Time zone',
    placeholder: 'Asia/Calcutta',
    description: 'Of a schedule that names none, and of callees of whom none is known',
    suggestions: ['UTC', ...Intl.supportedValuesOf('timeZone')],
  },
  {
    kind: 'text',
    path: 'country',
    label: 'Country',
    placeholder: 'US',
    description: 'Numbers of a file without + are read as numbers of it. Empty: they are left out',
  },
  {
    kind: 'choice',
    path: 'unfilledPlaceholders',
    label: 'A placeholder that nothing fills',
    options: [
      { value: '', label: 'is allowed (as the service has it)' },
      { value: 'allow', label: 'is allowed' },
      { value: 'reject', label: 'keeps a batch call from being made' },
    ],
  },
];

const hours: readonly Field<Path>[] = [
  { kind: 'text', path: 'callingWindow.from', label: 'Calls start from', placeholder: '09:00', description: 'HH:MM' },
  {
    kind: 'text',
    path: 'callingWindow.until',
    label: 'Calls start until',
    placeholder: '20:00',
    description: 'HH:MM, up to 24:00. All empty: at any hour',
  },
  {
    kind: 'text',
    path: 'callingWindow.timezone',
    label: 'By the clock of',
    placeholder: 'recipient',
    description: 'recipient, or a time zone',
  },
  {
    kind: 'several',
    path: 'callingWindow.daysOfWeek',
    label: 'On',
    description: 'None: every day',
    options: weekDays.map(({ value, name }) => ({ value, label: name })),
  },
];

const asking: readonly Field<Path>[] = [
  {
    kind: 'text',
    path: 'preDial.url',
    label: 'Address',
    placeholder: 'https://example.com/pre-dial',
    description: 'Says, just before each call, whether it may be made. Empty: nobody is asked',
  },
  {
    kind: 'choice',
    path: 'preDial.onError',
    label: 'Without a usable answer',
    options: [
      { value: '', label: 'recipients wait (as the service has it)' },
      { value: 'wait', label: 'recipients wait' },
      { value: 'skip', label: 'recipients are not called' },
      { value: 'dial', label: 'recipients are called all the same' },
    ],
  },
];

const groups: readonly FieldGroup[] = [
  { legend: 'New batch calls', fields: basics },
  { legend: 'Hours', fields: hours },
  { legend: 'Asked before each call', fields: asking },
];

/** Days are chosen as texts, and numbers to the API. */
function asNumbers(body: Schemas['PutAccountDefaults']): Schemas['PutAccountDefaults'] {
  if (body.callingWindow === undefined || Array.isArray(body.callingWindow)) return body;
  const days = body.callingWindow.daysOfWeek;
  if (!Array.isArray(days)) return body;
  return { ...body, callingWindow: { ...body.callingWindow, daysOfWeek: days.map(Number) } };
}

/** Several windows, or dates without calls: more than these fields can say. They stay as they are. */
const isKept = (window: Defaults['callingWindow']): boolean => Array.isArray(window) || window?.except !== undefined;

const groupsWithoutHours = groups.filter(({ fields }) => fields !== hours);

const withWindow = (body: Schemas['PutAccountDefaults'], { callingWindow }: Defaults) =>
  callingWindow !== undefined && isKept(callingWindow) ? { ...body, callingWindow } : asNumbers(body);

const Facts = ({ defaults }: { readonly defaults: Defaults }) => {
  const { timezone, country, callingWindow, unfilledPlaceholders, preDial } = defaults;
  return (
    <FactList
      facts={[
        { name: 'Time zone', said: timezone ?? 'Asia/Calcutta' },
        { name: 'Country', said: country ?? 'none: numbers without + are left out' },
        {
          name: 'Hours',
          said: callingWindow === undefined ? 'any' : windowSaid(callingWindow),
        },
        {
          name: 'A placeholder that nothing fills',
          said: unfilledPlaceholders === 'reject' ? 'is refused' : 'is allowed',
        },
        { name: 'Asked before each call', said: preDial?.url ?? 'nobody' },
      ]}
    />
  );
};

/** What batch calls go by that do not say otherwise. */
export function DefaultsPage() {
  const query = useQuery(defaultsQuery);
  const mayOperate = useMayOperate();
  return (
    <Page title="Account defaults" requests={[{ path: '/v1/account/defaults' }]}>
      <Fresh query={query}>
        {(defaults) => (
          <Paper withBorder p="md" maw={760} component="section" aria-label="Defaults of new batch calls">
            {mayOperate && isKept(defaults.callingWindow) && (
              <Text mb="md">
                Hours: {windowSaid(defaults.callingWindow)} Several windows and dates are set by the API.
              </Text>
            )}
            {mayOperate ? (
              <ResourceForm
                groups={isKept(defaults.callingWindow) ? groupsWithoutHours : groups}
                action="Save"
                resource={defaults}
                isReplaced
                send={(body) =>
                  answered(
                    client.PUT('/v1/account/defaults', {
                      body: withWindow(body as Schemas['PutAccountDefaults'], defaults),
                    }),
                  )
                }
              />
            ) : (
              <Facts defaults={defaults} />
            )}
          </Paper>
        )}
      </Fresh>
    </Page>
  );
}
