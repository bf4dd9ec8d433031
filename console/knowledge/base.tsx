import { Alert, Button, Code, Group, List, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { knowledgeBaseQuery } from '../api/knowledge.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { Problem } from '../ui/problem.js';
import { Status } from '../ui/status.js';
import { figure } from '../ui/words.js';

const route = getRouteApi('/knowledge/$knowledgeBaseId');

/** What an agent would find for a question. */
function Find({ knowledgeBaseId }: { readonly knowledgeBaseId: string }) {
  const [question, setQuestion] = useState('');
  const finding = useMutation({
    mutationFn: () =>
      answered(
        client.POST('/v1/knowledge-bases/{knowledgeBaseId}/query', {
          params: { path: { knowledgeBaseId } },
          body: { query: question, limit: 5 },
        }),
      ),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!finding.isPending) finding.mutate();
  };
  const passages = finding.data?.data;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="find">
      <Title order={2} size="h4" id="find" mb="xs">
        What an agent finds
      </Title>
      <form onSubmit={submit}>
        <Group align="end" gap="xs" mb="sm">
          <TextInput
            label="Question or words"
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
          />
          <Button type="submit" disabled={question.trim() === ''} loading={finding.isPending}>
            Find
          </Button>
        </Group>
      </form>
      <Problem error={finding.error} title="The search failed" />
      <div role="status">
        {passages?.length === 0 && <Text c="dimmed">Nothing was found.</Text>}
        {passages !== undefined && passages.length > 0 && (
          <List type="ordered" size="sm" spacing="sm">
            {passages.map(({ position, text }) => (
              <List.Item key={position} data-passage={position}>
                {text}
              </List.Item>
            ))}
          </List>
        )}
      </div>
    </Paper>
  );
}

/** The text that was found in the document, once it is asked for. */
function Content({ knowledgeBaseId }: { readonly knowledgeBaseId: string }) {
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () =>
      answered(client.GET('/v1/knowledge-bases/{knowledgeBaseId}/content', { params: { path: { knowledgeBaseId } } })),
  });
  return (
    <Stack gap="xs" align="start">
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        Show its text
      </Button>
      <Problem error={error} title="Its text cannot be shown" />
      {data !== undefined && (
        <Code block tabIndex={0} mah={420} w="100%" style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
          {data.content}
        </Code>
      )}
    </Stack>
  );
}

const Facts = ({ base }: { readonly base: Schemas['KnowledgeBase'] }) => (
  <FactList
    facts={[
      { name: 'From', said: base.url ?? base.file?.filename ?? 'a text' },
      { name: 'Language', said: base.language ?? 'not known' },
      { name: 'Characters', said: base.characters === undefined ? '–' : figure(base.characters) },
      { name: 'Passages', said: base.passages === undefined ? '–' : figure(base.passages) },
    ]}
  />
);

/** One knowledge base: how far it is, what is in it, and what an agent would find. */
export function KnowledgeBasePage() {
  const { knowledgeBaseId } = route.useParams();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const query = useQuery(knowledgeBaseQuery(knowledgeBaseId));
  const base = query.data;
  return (
    <Page
      title={base?.name ?? 'Knowledge base'}
      marks={base !== undefined && <Status status={base.status} />}
      requests={[{ path: `/v1/knowledge-bases/${encodeURIComponent(knowledgeBaseId)}` }]}
      actions={
        mayOperate &&
        base !== undefined && (
          <Ask
            label="Delete"
            title={`Delete ${base.name}?`}
            action="Delete this knowledge base"
            typed="delete"
            isDangerous
            onConfirm={async () => {
              const params = { path: { knowledgeBaseId } };
              await answered(client.DELETE('/v1/knowledge-bases/{knowledgeBaseId}', { params }));
              await navigate({ to: '/knowledge' });
            }}
          >
            Its document, its text and its passages are deleted. A knowledge base that the latest or a deployed version
            of an agent uses cannot be deleted.
          </Ask>
        )
      }
    >
      <Fresh query={query}>
        {(found) => (
          <Stack gap="lg">
            {found.status === 'failed' && (
              <Alert color="red" role="alert" title="It could not be read">
                {found.reason}
              </Alert>
            )}
            <Paper withBorder p="md" component="section" aria-label="Document">
              <Stack>
                <Facts base={found} />
                {found.status === 'processing' && <Text size="sm">It is being read. This page updates by itself.</Text>}
                {found.status === 'ready' && <Content knowledgeBaseId={knowledgeBaseId} />}
              </Stack>
            </Paper>
            {mayOperate && found.status === 'ready' && <Find knowledgeBaseId={knowledgeBaseId} />}
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}
