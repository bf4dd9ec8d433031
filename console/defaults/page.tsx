import { Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { windowSaid } from '../batch/said.js';
import type { Schemas } from '../api/client.js';
import { defaultsQuery } from '../api/new-batch.js';
import { useMayOperate } from '../session/session.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { DefaultsForm, usualZone } from './form.js';

const withoutAnswer = {
  wait: 'without an answer, callees wait',
  skip: 'without an answer, they are not called',
  dial: 'without an answer, they are called',
};

const Facts = ({ defaults }: { readonly defaults: Schemas['AccountDefaults'] }) => {
  const { timezone, country, callingWindow, unfilledPlaceholders, preDial } = defaults;
  return (
    <FactList
      facts={[
        { name: 'Time zone', said: timezone ?? usualZone },
        { name: 'Country', said: country ?? 'none: numbers without + are left out' },
        {
          name: 'Calling window',
          said: callingWindow === undefined ? 'any hour' : windowSaid(callingWindow),
        },
        {
          name: 'A placeholder without a value',
          said: unfilledPlaceholders === 'reject' ? 'is refused' : 'is allowed',
        },
        {
          name: 'Pre-dial check',
          said:
            preDial === undefined
              ? 'none'
              : `${preDial.url}, for ${preDial.timeoutMs} ms; ${withoutAnswer[preDial.onError]}`,
        },
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
            {mayOperate ? <DefaultsForm defaults={defaults} /> : <Facts defaults={defaults} />}
          </Paper>
        )}
      </Fresh>
    </Page>
  );
}
