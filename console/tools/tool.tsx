import { Code, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { toolQuery } from '../api/knowledge.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { Fresh } from '../ui/fresh.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Page } from '../ui/page.js';
import { toolGroups } from './fields.js';

const route = getRouteApi('/tools/$toolId');

/** One tool: what the model reads of it, and the request that it makes. */
export function ToolPage() {
  const { toolId } = route.useParams();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const query = useQuery(toolQuery(toolId));
  const path = { toolId };
  return (
    <Page
      title={query.data?.name ?? 'Tool'}
      requests={[{ path: `/v1/tools/${encodeURIComponent(toolId)}` }]}
      actions={
        mayOperate &&
        query.data !== undefined && (
          <Ask
            label="Delete"
            title={`Delete ${query.data.name}?`}
            action="Delete this tool"
            typed="delete"
            isDangerous
            onConfirm={async () => {
              await answered(client.DELETE('/v1/tools/{toolId}', { params: { path } }));
              await navigate({ to: '/tools', ignoreBlocker: true });
            }}
          >
            A tool that the latest or a deployed version of an agent uses cannot be deleted. Earlier versions that name
            it can no longer be deployed.
          </Ask>
        )
      }
    >
      <Fresh query={query}>
        {(tool) => (
          <Paper withBorder p="md" maw={760} component="section" aria-label="Tool">
            {mayOperate ? (
              <>
                <Text size="sm" c="dimmed" mb="md">
                  Agents that use it make the changed request at once, deployed ones too.
                </Text>
                <ResourceForm
                  key={toolId}
                  groups={toolGroups(false)}
                  action="Save"
                  resource={tool}
                  send={(body) =>
                    answered(
                      client.PATCH('/v1/tools/{toolId}', { params: { path }, body: body as Schemas['UpdateTool'] }),
                    )
                  }
                />
              </>
            ) : (
              <Code block tabIndex={0}>
                {JSON.stringify(tool, null, 2)}
              </Code>
            )}
          </Paper>
        )}
      </Fresh>
    </Page>
  );
}
