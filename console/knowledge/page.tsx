import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '../api/client.js';
import { knowledgeBasesQuery } from '../api/knowledge.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell } from '../ui/data-table.js';
import { LinkButton } from '../ui/link-button.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { figure } from '../ui/words.js';

const route = getRouteApi('/knowledge');

/** Where the text of a knowledge base comes from. */
const sourceSaid = ({ source, url, file }: Schemas['KnowledgeBase']): string =>
  source === 'url' ? (url ?? '') : source === 'file' ? (file?.filename ?? '') : 'a text';

/** What agents can look things up in. */
export function KnowledgePage() {
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const filter = listFilter(search);
  const query = useQuery(knowledgeBasesQuery(filter));
  return (
    <ListPage
      query={query}
      label="Knowledge bases"
      requests={[{ path: `/v1/knowledge-bases${stringifySearch({ ...filter })}` }]}
      actions={mayOperate && <LinkButton to="/knowledge/new">New knowledge base</LinkButton>}
      search={{ label: 'Name', text: search.search, onSearch: (text) => change({ search: text }) }}
      head={[...['Name', 'State', 'From'].map((words) => ({ words })), { words: 'Passages', isNumber: true }]}
      empty={
        search.search === undefined
          ? 'There are no knowledge bases yet. A knowledge base is a document in which an agent looks things up.'
          : 'No knowledge base matches the filter.'
      }
      onTurn={turn}
    >
      {(base) => (
        <Table.Tr key={base.knowledgeBaseId} data-knowledge={base.knowledgeBaseId}>
          <Table.Td>
            <TextLink to="/knowledge/$knowledgeBaseId" params={{ knowledgeBaseId: base.knowledgeBaseId }}>
              {base.name}
            </TextLink>
          </Table.Td>
          <Table.Td>
            <Status status={base.status} />
            {base.reason !== undefined && (
              <Text size="xs" c="dimmed">
                {base.reason}
              </Text>
            )}
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{sourceSaid(base)}</Table.Td>
          <NumberCell>{base.passages === undefined ? '–' : figure(base.passages)}</NumberCell>
        </Table.Tr>
      )}
    </ListPage>
  );
}
