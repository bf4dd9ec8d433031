import { Paper, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { TextLink } from '../ui/link.js';
import { Page } from '../ui/page.js';
import { ReadOnly } from '../ui/read-only.js';
import { Editor } from './editor.js';

const route = getRouteApi('/agents/new');

const proposed = { name: '', languages: { english: { prompt: '' } } };

/** A new agent, which goes live by itself if nothing is missing. */
export function NewAgentPage() {
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const mode = view === 'json' ? 'json' : 'form';
  const send = async (config: object, _versionName: string, key: string) => {
    const params = { header: { 'idempotency-key': key } };
    const { agentId } = await answered(client.POST('/v1/agents', { body: config as Schemas['AgentConfig'], params }));
    await navigate({ to: '/agents/$agentId', params: { agentId }, search: {}, ignoreBlocker: true });
  };
  return (
    <Page title="New agent" requests={[{ method: 'POST', path: '/v1/agents' }]}>
      {!mayOperate ? (
        <ReadOnly />
      ) : (
        <Paper withBorder p="md" maw={960}>
          <Text size="sm" mb="md">
            It goes live as soon as it is created, if nothing is missing.{' '}
            <TextLink to="/agents/new" search={mode === 'form' ? { view: 'json' } : {}}>
              {mode === 'form' ? 'Write it as JSON' : 'Use the form'}
            </TextLink>
          </Text>
          <Editor config={proposed} mode={mode} action="Create agent" send={send} />
        </Paper>
      )}
    </Page>
  );
}
