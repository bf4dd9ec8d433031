import { useQuery } from '@tanstack/react-query';
import { changeCampaign } from '../api/campaigns.js';
import type { Schemas } from '../api/client.js';
import { numberQuery } from '../api/telephony.js';
import { useMayOperate } from '../session/session.js';
import { ReadOnly } from '../ui/read-only.js';
import { SaveChanges } from '../ui/save-changes.js';
import { useSavedFields } from '../ui/use-saved-fields.js';
import { CampaignForm, campaignOf, changeOf, fieldsOf } from './form.js';

type Campaign = Schemas['Campaign'];

/** The number of a template that names it by its id: the fields have numbers only. */
function useCallerById({ phoneNumberId }: Campaign['template']): string | undefined {
  const id = typeof phoneNumberId === 'string' ? phoneNumberId : undefined;
  const { data } = useQuery({ ...numberQuery(id ?? ''), enabled: id !== undefined });
  return data?.phoneNumber.e164 ?? id;
}

/** What of a campaign can be changed: all of it, from the next run on. */
export function Settings({ campaign: opened }: { readonly campaign: Campaign }) {
  const mayOperate = useMayOperate();
  const { saved, fields, saving, change, undo } = useSavedFields(
    opened,
    (campaign: Campaign) => ({ ...fieldsOf(campaign), campaign }),
    (typed, before) =>
      changeCampaign(
        before.campaign.campaignId,
        changeOf(before.campaign, campaignOf(typed, before.campaign.template, before)),
      ),
  );
  const byId = useCallerById(saved.campaign.template);
  if (!mayOperate) return <ReadOnly />;
  const { campaign } = saved;
  const isChanged = Object.keys(changeOf(campaign, campaignOf(fields, campaign.template, saved))).length > 0;
  return (
    <CampaignForm
      fields={fields}
      onChange={change}
      error={saving.error}
      onOutdated={saving.reset}
      caller={byId}
      refused="Nothing was changed"
      onSubmit={() => {
        if (isChanged && !saving.isPending) saving.mutate();
      }}
    >
      <SaveChanges isChanged={isChanged} isSaving={saving.isPending} isSaved={saving.isSuccess} onUndo={undo} />
    </CampaignForm>
  );
}
