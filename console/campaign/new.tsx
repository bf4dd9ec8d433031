import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createCampaign } from '../api/campaigns.js';
import { useMayOperate } from '../session/session.js';
import { useKey } from '../ui/key.js';
import { Page } from '../ui/page.js';
import { ReadOnly } from '../ui/read-only.js';
import { CampaignForm, campaignOf, type Fields, proposed } from './form.js';
import { useUnsaved } from '../ui/unsaved.js';

/** Makes a campaign; what is wrong stands at the fields, all at once. */
function NewCampaign() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { keyFor } = useKey();
  const [fields, setFields] = useState(proposed);
  const body = campaignOf(fields, {}, proposed);
  const making = useMutation({
    mutationFn: () => createCampaign(body, keyFor(JSON.stringify(body))),
    onSuccess: async ({ campaignId }) => {
      await queries.invalidateQueries();
      await navigate({ to: '/campaigns/$campaignId', params: { campaignId }, ignoreBlocker: true });
    },
  });
  useUnsaved(JSON.stringify(fields) !== JSON.stringify(proposed));
  const onChange = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }));
  return (
    <CampaignForm
      fields={fields}
      onChange={onChange}
      error={making.error}
      onOutdated={making.reset}
      refused="Nothing was created"
      onSubmit={() => {
        if (!making.isPending) making.mutate();
      }}
    >
      <Group justify="flex-end">
        <Button type="submit" loading={making.isPending}>
          Create campaign
        </Button>
      </Group>
    </CampaignForm>
  );
}

/** A new campaign, for those who may make one. */
export function NewCampaignPage() {
  const mayOperate = useMayOperate();
  return (
    <Page title="New campaign" requests={[{ path: '/v1/campaigns' }]}>
      {mayOperate ? <NewCampaign /> : <ReadOnly />}
    </Page>
  );
}
