import { answered, client, type Schemas } from '../api/client.js';
import { AddRecipients } from '../batch/add-recipients.js';
import { Ask } from '../ui/ask.js';
import { useKey } from '../ui/key.js';
import { counted } from '../ui/words.js';

interface Props {
  readonly campaign: Schemas['Campaign'];
  readonly onDelete: () => Promise<unknown>;
}

/** What can be done with a campaign. */
export function Steering({ campaign: { campaignId, name, status, waiting }, onDelete }: Props) {
  const { keyFor, renew } = useKey();
  const params = { path: { campaignId } };
  const those = counted(waiting, 'recipient');
  const isPaused = status === 'paused';
  return (
    <>
      <AddRecipients
        hint="They are called by the next run."
        post={(recipients) =>
          answered(client.POST('/v1/campaigns/{campaignId}/recipients', { params, body: { recipients } }))
        }
      />
      <Ask
        label="Run now"
        title={`Run ${name} now?`}
        action="Run it now"
        onConfirm={async () => {
          const header = { 'idempotency-key': keyFor(`run ${campaignId}`) };
          await answered(client.POST('/v1/campaigns/{campaignId}/run', { params: { ...params, header } }));
          renew();
        }}
      >
        {waiting === 0
          ? 'No one is waiting, so no batch call is made.'
          : `A batch call with the ${those} who wait starts at once. The schedule stays as it is.`}
      </Ask>
      <Ask
        label={isPaused ? 'Resume' : 'Pause'}
        title={`${isPaused ? 'Resume' : 'Pause'} ${name}?`}
        onConfirm={() =>
          answered(
            isPaused
              ? client.POST('/v1/campaigns/{campaignId}/resume', { params })
              : client.POST('/v1/campaigns/{campaignId}/pause', { params }),
          )
        }
      >
        {isPaused
          ? 'It runs again at the next time of its schedule.'
          : 'It does not run until it is resumed. It still takes recipients, and its batch calls go on.'}
      </Ask>
      <Ask
        label="Delete"
        title={`Delete ${name}?`}
        action="Delete this campaign"
        typed="delete"
        isDangerous
        onConfirm={async () => {
          await answered(client.DELETE('/v1/campaigns/{campaignId}', { params }));
          await onDelete();
        }}
      >
        {`${waiting === 0 ? '' : `The ${those} who wait are not called. `}Its batch calls stay and go on.`}
      </Ask>
    </>
  );
}
