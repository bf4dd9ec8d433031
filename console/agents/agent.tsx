import { Code, Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { agentQuery } from '../api/agents.js';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { Status } from '../ui/status.js';
import { usualPerPage } from '../ui/usual.js';
import { AgentActions } from './actions.js';
import { Deployments } from './deployments.js';
import { Editor } from './editor.js';
import type { AgentSearch } from './search.js';
import { Versions } from './versions.js';
import { Views } from './views.js';

const route = getRouteApi('/agents/$agentId');

/** One agent: what it says and does, its versions, and what was put live when. */
export function AgentPage() {
  const { agentId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const query = useQuery(agentQuery(agentId));
  const agent = query.data;
  const { view } = search;
  const own = `/v1/agents/${encodeURIComponent(agentId)}`;
  const paging = { page: search.page ?? 1, perPage: Math.min(search.perPage ?? usualPerPage, 100) };
  const change = (part: AgentSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  const save = (config: object, versionName: string) => {
    const body = { ...(config as Schemas['AgentConfig']), ...(versionName === '' ? {} : { versionName }) };
    return answered(client.PUT('/v1/agents/{agentId}', { params: { path: { agentId } }, body }));
  };
  return (
    <Page
      title={agent?.name ?? 'Agent'}
      marks={agent !== undefined && <Status status={agent.status === 'active' ? 'live' : 'not live'} />}
      requests={[
        { path: own },
        ...(view === 'versions' || view === 'deployments'
          ? [{ path: `${own}/${view}?page=${paging.page}&perPage=${paging.perPage}` }]
          : []),
      ]}
      actions={
        mayOperate &&
        agent !== undefined && (
          <AgentActions agent={agent} onDeleted={() => navigate({ to: '/agents', ignoreBlocker: true })} />
        )
      }
    >
      <Views agentId={agentId} view={view} />
      <Fresh query={query}>
        {({ config }) => {
          if (view === 'versions') {
            return <Versions agentId={agentId} search={search} paging={paging} onChange={change} />;
          }
          if (view === 'deployments') {
            return (
              <Deployments agentId={agentId} paging={paging} onTurn={(page, perPage) => change({ page, perPage })} />
            );
          }
          return (
            <Paper withBorder p="md" maw={960} component="section" aria-label="What it says and does">
              {mayOperate ? (
                <Editor
                  key={agentId}
                  config={config}
                  mode={view === 'json' ? 'json' : 'form'}
                  action="Save as a new version"
                  isVersion
                  send={save}
                />
              ) : (
                <Code block tabIndex={0}>
                  {JSON.stringify(config, null, 2)}
                </Code>
              )}
            </Paper>
          );
        }}
      </Fresh>
    </Page>
  );
}
