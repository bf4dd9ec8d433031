import { Button, NativeSelect, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { keysQuery } from '../api/account.js';
import { answered, client, type Schemas } from '../api/client.js';
import { currentToken } from '../api/token.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { claimsOf } from '../session/permissions.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { ListPage } from '../ui/list-page.js';
import { Once } from '../ui/once.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { NewKey } from './new-key.js';
import { RevokeToken } from './revoke.js';

const route = getRouteApi('/keys');

interface SteerProps {
  readonly apiKey: Schemas['ApiKey'];
  readonly isOwn: boolean;
}

const Delete = ({ apiKey: { keyId, name }, isOwn }: SteerProps) => (
  <Ask
    label="Delete"
    hint={name === '' ? keyId : name}
    size="compact-xs"
    title={`Delete ${name === '' ? 'this key' : name}?`}
    action="Delete this key"
    typed="delete"
    isDangerous
    onConfirm={() => answered(client.DELETE('/v1/account/keys/{keyId}', { params: { path: { keyId } } }))}
  >
    {`All its tokens are refused at once; what they started goes on. This cannot be undone.${isOwn ? ' You are signed in with this key: you will be signed out.' : ''}`}
  </Ask>
);

/** The API keys of the account: what the tokens of each may do, and when one was last used. */
export function KeysPage() {
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const active = search.active === 'false' ? 'false' : 'true';
  const filter = { ...listFilter({ page: search.page, perPage: search.perPage }), active } as const;
  const query = useQuery(keysQuery(filter));
  const [opened, setOpened] = useState(false);
  const [made, setMade] = useState<Schemas['CreatedApiKey'] | null>(null);
  const { keyId: ownId } = claimsOf(currentToken() ?? '');
  const canDelete = mayOperate && active === 'true';
  return (
    <>
      {made !== null && (
        <Once
          key={made.keyId}
          title={`The key ${made.name} was created. Store these now: they are not shown again`}
          words="Programs send the token. The secret signs further tokens, such as ones that expire: anyone who has it can make them."
          secrets={[
            { name: 'Token', value: made.token },
            { name: 'Secret', value: made.secret },
          ]}
          onClose={() => setMade(null)}
        />
      )}
      <ListPage
        query={query}
        label="API keys"
        requests={[{ path: `/v1/account/keys${stringifySearch({ ...filter })}` }]}
        actions={
          mayOperate && (
            <>
              <RevokeToken />
              <Button size="xs" onClick={() => setOpened(true)}>
                New key
              </Button>
            </>
          )
        }
        filters={
          <NativeSelect
            label="State"
            value={active}
            data={[
              { value: 'true', label: 'work' },
              { value: 'false', label: 'deleted' },
            ]}
            onChange={(event) => change({ active: event.currentTarget.value === 'false' ? 'false' : undefined })}
          />
        }
        head={['Name', 'Its tokens may', 'Last used', 'Created', 'Ends', ...(canDelete ? ['Actions'] : [])].map(
          (words) => ({
            words,
          }),
        )}
        empty={active === 'true' ? 'There are no active keys.' : 'There are no deleted keys.'}
        onTurn={turn}
      >
        {(key) => (
          <Table.Tr key={key.keyId} data-key-id={key.keyId}>
            <Table.Td>
              {key.name === '' ? key.keyId : key.name} {key.keyId === ownId && <Status status="yours" />}
            </Table.Td>
            <Table.Td>{key.permissions?.join(', ') ?? 'everything'}</Table.Td>
            <Table.Td>{key.lastUsedAt === undefined ? 'never' : <Time at={key.lastUsedAt} />}</Table.Td>
            <Table.Td>
              <Time at={key.createdAt} />
            </Table.Td>
            <Table.Td>
              <Time at={key.expiresAt} />
            </Table.Td>
            {canDelete && (
              <Table.Td>
                <Delete apiKey={key} isOwn={key.keyId === ownId} />
              </Table.Td>
            )}
          </Table.Tr>
        )}
      </ListPage>
      <NewKey
        opened={opened}
        onClose={() => setOpened(false)}
        onMade={(key) => {
          setOpened(false);
          setMade(key);
        }}
      />
    </>
  );
}
