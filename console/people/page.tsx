import { Alert, Button, Group, Paper, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { bareNumber, personQuery } from '../api/people.js';
import { useAddress } from '../app/address.js';
import { ListEntry } from '../do-not-call/entry.js';
import { useMayOperate } from '../session/session.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { usualPerPage } from '../ui/usual.js';
import { Erase } from './erase.js';
import { Person } from './person.js';

const route = getRouteApi('/people');

const isNumber = (text: string): boolean => /^\+[1-9]\d{4,14}$/.test(text);

/** Everything about a number: its calls, batch calls, do-not-call entry and rows left out; and the way to erase it. */
export function PeoplePage() {
  const navigate = route.useNavigate();
  const { search, turn } = useAddress(route.useSearch(), navigate);
  const { number: typed = '', page = 1, perPage = usualPerPage } = search;
  const number = isNumber(typed) ? typed : '';
  const mayOperate = useMayOperate();
  const [erased, setErased] = useState<string | null>(null);
  const paging = { page, perPage: Math.min(perPage, 100) };
  const query = useQuery(personQuery(number, paging));
  const path = `/v1/contacts/${encodeURIComponent(number)}?page=${paging.page}&perPage=${paging.perPage}`;
  const person = query.data ?? undefined;
  return (
    <Page
      title={number === '' ? 'People' : number}
      requests={number === '' ? [] : [{ path }]}
      actions={mayOperate && person !== undefined && <Erase person={person} onErased={setErased} />}
    >
      <search aria-label="Person to look up">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const text = new FormData(event.currentTarget).get('number');
            setErased(null);
            void navigate({ search: { number: bareNumber(typeof text === 'string' ? text : '') } });
          }}
        >
          <Group align="end" gap="sm">
            <TextInput
              key={typed}
              type="tel"
              name="number"
              label="Number"
              placeholder="+14155550123"
              defaultValue={typed}
              error={typed === number ? undefined : 'Write it with + and country code, such as +14155550123.'}
            />
            <Button type="submit">Show everything about it</Button>
          </Group>
        </form>
      </search>
      {erased !== null && (
        <Alert color="gray" role="status">
          {erased}
        </Alert>
      )}
      {number === '' ? (
        <Text c="dimmed">Calls, batch calls, transcripts and do-not-call entry of one number are shown together.</Text>
      ) : (
        <Fresh query={query}>
          {(found) =>
            found === null ? (
              <Paper withBorder p="md" component="section" aria-label={number}>
                <Text mb="sm">Nothing is kept under {number}.</Text>
                <Group justify="space-between">
                  <ListEntry phoneNumber={number} entry={undefined} />
                </Group>
              </Paper>
            ) : (
              <Person person={found} onTurn={turn} />
            )
          }
        </Fresh>
      )}
    </Page>
  );
}
