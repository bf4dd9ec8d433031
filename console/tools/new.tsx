import { Paper } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Page } from '../ui/page.js';
import { ReadOnly } from '../ui/read-only.js';
import { toolGroups } from './fields.js';

const route = getRouteApi('/tools/new');

/** A new tool. */
export function NewToolPage() {
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  return (
    <Page title="New tool" requests={[{ method: 'POST', path: '/v1/tools' }]}>
      {!mayOperate ? (
        <ReadOnly />
      ) : (
        <Paper withBorder p="md" maw={760}>
          <ResourceForm
            groups={toolGroups(true)}
            action="Create tool"
            proposed={{ method: 'POST' }}
            send={(body, key) =>
              answered(
                client.POST('/v1/tools', {
                  body: body as Schemas['CreateTool'],
                  params: { header: { 'idempotency-key': key } },
                }),
              )
            }
            onDone={({ toolId }) => void navigate({ to: '/tools/$toolId', params: { toolId }, ignoreBlocker: true })}
          />
        </Paper>
      )}
    </Page>
  );
}
