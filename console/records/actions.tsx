import { answered, client } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { useKey } from '../ui/key.js';
import { CallBack } from './call-back.js';
import { Change } from './change.js';
import type { RecordProps } from './props.js';

const waiting = ['pending', 'retrying'];
const live = ['dialing', 'in-progress'];

const pathOf = ({ batch: { batchId }, record: { recordId } }: RecordProps) => ({ batchId, recordId });

const Skip = (props: RecordProps) => (
  <Ask
    label="Skip"
    hint={props.record.phoneNumber}
    size="compact-xs"
    title={`Skip ${props.record.phoneNumber}?`}
    action="Skip this recipient"
    onConfirm={() =>
      answered(
        client.POST('/v1/batch-calls/{batchId}/records/{recordId}/skip', {
          params: { path: pathOf(props) },
          body: {},
        }),
      )
    }
  >
    The recipient is not called again by this batch call. The record says that it was skipped.
  </Ask>
);

function CallAgain(props: RecordProps) {
  const { keyFor, renew } = useKey();
  const { recordId, attempts, phoneNumber } = props.record;
  const callAgain = async () => {
    const params = { path: pathOf(props), header: { 'idempotency-key': keyFor(`${recordId} ${attempts}`) } };
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

/** What can be done about one recipient as its call is now. */
export function RecordActions(props: RecordProps) {
  const { batch, record } = props;
  const { status } = record;
  const goesOn = ['scheduled', 'running'].includes(batch.status);
  const isRunning = batch.status === 'running';
  const isOver = !waiting.includes(status) && !live.includes(status);
  return (
    <>
      {goesOn && waiting.includes(status) && <Skip {...props} />}
      {isRunning && isOver && <CallAgain {...props} />}
      {isRunning && status !== 'pending' && <CallBack {...props} />}
      {goesOn && status === 'pending' && record.attempts === 0 && <Change {...props} />}
    </>
  );
}
