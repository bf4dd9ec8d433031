import { Text } from '@mantine/core';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { FactList } from '../ui/fact-list.js';
import type { Field } from '../ui/form/field.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Meter } from '../ui/meter.js';
import { Part } from '../ui/part.js';
import { counted, figure } from '../ui/words.js';

type Number = Schemas['PhoneNumber']['phoneNumber'];

const fields: readonly Field<keyof Schemas['UpdatePhoneNumber']>[] = [
  { kind: 'text', path: 'name', label: 'Name', isRequired: true },
  {
    kind: 'number',
    path: 'maxCallsPerDay',
    label: 'Maximum calls per day',
    placeholder: '200',
    description: 'Each attempt of batch calls and single calls counts. If empty, there is no limit',
  },
  {
    kind: 'number',
    path: 'minSecondsBetweenCalls',
    label: 'Minimum seconds between calls',
    placeholder: '5',
    description: 'If empty, none',
  },
];

/** What has gone out from the number today, against what may. */
function Today({ number: { callsToday, maxCallsPerDay, timezone } }: { readonly number: Number }) {
  if (callsToday === null) return null;
  return (
    <>
      {maxCallsPerDay === null ? (
        <Text size="sm">{counted(callsToday, 'call was', 'calls were')} made from it today.</Text>
      ) : (
        <Meter name="Calls today" used={callsToday} most={maxCallsPerDay} />
      )}
      <Text size="sm" c="dimmed" mb="sm">
        Its day begins at midnight in {timezone}.
      </Text>
    </>
  );
}

/** How often the number may call, and what it is named. */
export function NumberSettings({ number }: { readonly number: Number }) {
  const mayOperate = useMayOperate();
  const { e164, maxCallsPerDay, minSecondsBetweenCalls } = number;
  return (
    <Part id="limits" title="Limits">
      <Today number={number} />
      {mayOperate ? (
        <>
          <Text size="sm" mb="sm">
            Once saved, no call breaks a limit. Recipients held back by a limit wait, and are called later.
          </Text>
          <ResourceForm
            groups={[{ legend: 'Name and limits', fields }]}
            action="Save"
            resource={number}
            send={async (body) => {
              const params = { path: { phoneNumberId: e164 } };
              const changed = await answered(
                client.PATCH('/v2/sip/phone-numbers/{phoneNumberId}', {
                  params,
                  body: body as Schemas['UpdatePhoneNumber'],
                }),
              );
              return changed.phoneNumber;
            }}
          />
        </>
      ) : (
        <FactList
          facts={[
            { name: 'Maximum calls per day', said: maxCallsPerDay === null ? 'no limit' : figure(maxCallsPerDay) },
            {
              name: 'Time between calls',
              said: minSecondsBetweenCalls === null ? 'no wait' : `at least ${figure(minSecondsBetweenCalls)} s`,
            },
          ]}
        />
      )}
    </Part>
  );
}
