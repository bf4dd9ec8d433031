import { Button, NativeSelect, Table, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { auditedResources } from '../../domain/account/audited-resources.js';
import { auditLogQuery, keysQuery } from '../api/account.js';
import { useAddress } from '../app/address.js';
import { stringifySearch } from '../app/search.js';
import { DayField } from '../ui/day-field.js';
import { detailsSaid } from '../ui/details-said.js';
import { ListPage } from '../ui/list-page.js';
import { Time } from '../ui/time.js';
import { spoken } from '../ui/words.js';
import { auditFilter } from './search.js';

const route = getRouteApi('/audit-log');
const pauseMs = 300;

/** Who changed what, newest first: what is filtered by is in the address. */
export function AuditLogPage() {
  const { search, change, turn, clear } = useAddress(route.useSearch(), route.useNavigate());
  const filter = auditFilter(search);
  const query = useQuery(auditLogQuery(filter));
  const { data: keys } = useQuery(keysQuery({ page: 1, perPage: 100 }));
  const [target, setTarget] = useState(search.target ?? '');
  const ask = useDebouncedCallback((text: string) => change({ target: text }), pauseMs);
  const { action, keyId, from, until } = search;
  const isFiltered = [action, search.target, keyId, from, until].some((each) => each !== undefined);
  const keyChoices = (keys?.data ?? []).map((key) => ({
    value: key.keyId,
    label: key.name === '' ? key.keyId : key.name,
  }));
  const nameOf = (id: string) => keyChoices.find(({ value }) => value === id)?.label ?? id;
  return (
    <ListPage
      query={query}
      label="Audit log"
      requests={[{ path: `/v1/account/audit-log${stringifySearch({ ...filter })}` }]}
      filters={
        <>
          <NativeSelect
            label="Resource"
            value={action ?? ''}
            data={[
              { value: '', label: 'anything' },
              ...[...new Set([...auditedResources, ...(action === undefined ? [] : [action])])].map((value) => ({
                value,
                label: spoken(value),
              })),
            ]}
            onChange={(event) => change({ action: event.currentTarget.value })}
          />
          <TextInput
            label="Id"
            value={target}
            onChange={(event) => {
              setTarget(event.currentTarget.value);
              ask(event.currentTarget.value.trim());
            }}
          />
          <NativeSelect
            label="API key"
            value={keyId ?? ''}
            data={[{ value: '', label: 'any' }, ...keyChoices]}
            onChange={(event) => change({ keyId: event.currentTarget.value })}
          />
          <DayField label="From" day={from} onChange={(from) => change({ from })} />
          <DayField label="Until" day={until} onChange={(until) => change({ until })} />
          {isFiltered && (
            <Button
              variant="default"
              onClick={() => {
                setTarget('');
                clear();
              }}
            >
              Show all
            </Button>
          )}
        </>
      }
      head={['When', 'What', 'Id', 'Details', 'API key', 'From'].map((words) => ({ words }))}
      empty={isFiltered ? 'No entry matches the filter.' : 'Nothing has been changed yet.'}
      onTurn={turn}
    >
      {(entry) => (
        <Table.Tr key={entry.id} data-entry={entry.id}>
          <Table.Td>
            <Time at={entry.createdAt} />
          </Table.Td>
          <Table.Td>{spoken(entry.action).replace('.', ': ')}</Table.Td>
          <Table.Td>{entry.target}</Table.Td>
          <Table.Td style={{ minWidth: '12rem', overflowWrap: 'anywhere' }}>{detailsSaid(entry.details)}</Table.Td>
          <Table.Td>{entry.keyId === undefined ? 'the service' : nameOf(entry.keyId)}</Table.Td>
          <Table.Td>{entry.address ?? '–'}</Table.Td>
        </Table.Tr>
      )}
    </ListPage>
  );
}
