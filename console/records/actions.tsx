import { answered, client, type Schemas } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { useKey } from '../ui/key.js';

interface Props {
  readonly batch: Schemas['BatchCallDetail'];
  readonly record: Schemas['BatchRecord'];
}

const waiting = ['pending', 'retrying'];
const live = ['dialing', 'in-progress'];

/** What can be done about one recipient as its call is now. */
export function RecordActions({ batch, record }: Props) {
  const { keyFor, renew } = useKey();
  const { status, phoneNumber, recordId, attempts } = record;
  const path = { batchId: batch.batchId, recordId };
  if (waiting.includes(status) && ['scheduled', 'running'].includes(batch.status)) {
    return (
      <Ask
        label="Skip"
        hint={phoneNumber}
        size="compact-xs"
        title={`Skip ${phoneNumber}?`}
        action="Skip this recipient"
        onConfirm={() =>
          answered(client.POST('/v1/batch-calls/{batchId}/records/{recordId}/skip', { params: { path }, body: {} }))
        }
      >
        The recipient is not called any more by this batch call. The record says that it was skipped.
      </Ask>
    );
  }
  if (batch.status !== 'running' || waiting.includes(status) || live.includes(status)) return null;
  const callAgain = async () => {
    const params = { path, header: { 'idempotency-key': keyFor(`${recordId} ${attempts}`) } };
    await answered(client.POST('/v1/batch-calls/{batchId}/records/{recordId}/call-again', { params, body: {} }));
    renew();
  };
  return (
    <Ask
      label="Call again"
      hint={phoneNumber}
      size="compact-xs"
      title={`Call ${phoneNumber} again?`}
      action="Call once more"
      onConfirm={callAgain}
    >
      One more attempt is made, whatever the plan of retries says. Calling window, guardrails and do-not-call list hold.
    </Ask>
  );
}
