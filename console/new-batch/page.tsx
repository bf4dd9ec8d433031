import { Alert, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createBatchCall, outboundRulesQuery } from '../api/new-batch.js';
import { Refused } from '../api/refused.js';
import { useMayOperate } from '../session/session.js';
import { lazyPart } from '../ui/lazy.js';
import { Page } from '../ui/page.js';
import { Problem } from '../ui/problem.js';
import { Caller } from './caller.js';
import { contentOf, type Draft, emptyDraft, formOf, hasRecipients, isShownAtField, twinsOf } from './draft.js';
import { firstCalls } from './first-calls.js';
import { useKey } from '../ui/key.js';
import { useUnsaved } from '../ui/unsaved.js';
import classes from './new-batch.module.css';
import { Recipients } from './recipients.js';
import { Retries } from './retries.js';
import { isLost, StartBar } from './start.js';
import { Timing } from './timing.js';
import { useDryRun } from './use-dry-run.js';
import { useSheet } from './use-sheet.js';

const reading = <Skeleton height={160} role="status" aria-label="Loading" />;

// Below what is seen first.
const Reading = lazyPart(async () => (await import('./settings.js')).Reading, reading);
const Settings = lazyPart(
  async () => (await import('./settings.js')).Settings,
  <Skeleton height={740} role="status" aria-label="Loading" />,
);
// What is there once there are recipients.
const Columns = lazyPart(async () => (await import('./columns.js')).Columns, <Skeleton height={160} />);
const Report = lazyPart(async () => (await import('./report.js')).Report, reading);
const TestCall = lazyPart(async () => (await import('./test-call.js')).TestCall, null);

const requests = [
  { path: '/v2/sip/routing-rule?type=outbound&perPage=100' },
  { path: '/v1/account/defaults' },
  { path: '/v1/account/guardrails' },
];
const mostTries = 3;
const betweenTriesMs = 1_000;
const mostTestCalls = 20;

/** A new batch call: everything that it would do, before anything of it exists. */
function NewBatch() {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const sheet = useSheet(draft);
  const dryRun = useDryRun(draft);
  const { report } = dryRun;
  const rules = useQuery(outboundRulesQuery(''));
  const rule = rules.data?.data.find(({ id }) => id === draft.routingRuleId);
  const navigate = useNavigate();
  const { keyFor, renew } = useKey();
  const isSending = useRef(false);
  const starting = useMutation({
    mutationFn: (sent: Draft) => createBatchCall(formOf(sent), keyFor(contentOf(sent))),
    // The key makes it one batch call, however often it is sent.
    retry: (failures, error) => failures < mostTries && isLost(error),
    retryDelay: betweenTriesMs,
    onSuccess: ({ batchId }) => navigate({ to: '/batches/$batchId', params: { batchId }, ignoreBlocker: true }),
  });
  useUnsaved(contentOf(draft) !== contentOf(emptyDraft));
  const { isPending, reset, variables } = starting;
  // What the API has said of a request says nothing of another one.
  const failure = variables !== undefined && contentOf(variables) === contentOf(draft) ? starting.error : null;
  const isHeld = isPending || isLost(failure);
  const change = (part: Partial<Draft>) => {
    if (!isHeld) setDraft((before) => ({ ...before, ...part }));
  };

  const refused = [failure, dryRun.error].find((error) => error instanceof Refused && error.problems.length > 0);
  const problems = refused instanceof Refused ? refused.problems : [];
  const problemAt = (path: string): string | undefined => {
    const found = problems.filter((problem) => problem.path === path).map(({ message }) => message);
    return found.length === 0 ? undefined : found.join('; ');
  };
  const calls = useMemo(() => (sheet === null ? null : firstCalls(sheet, draft.names)), [sheet, draft.names]);
  const start = () => {
    if (isSending.current) return; // the second click of two
    isSending.current = true;
    starting.mutate(draft, { onSettled: () => (isSending.current = false) });
  };
  const section = { draft, change, problemAt, problems };
  const isAnybody = hasRecipients(draft);
  useEffect(() => {
    // By the time that the API has answered, what shows its answer is there.
    if (isAnybody) void Report.preload();
  }, [isAnybody]);
  return (
    <div className={classes.page}>
      <fieldset className={classes.form} disabled={isHeld} aria-label="The batch call">
        <Recipients {...section} />
        <Caller {...section} />
        {isAnybody && <Columns {...section} sheet={sheet} columns={report?.columns ?? []} />}
        <Timing {...section} />
        <Retries {...section} />
        <Reading {...section} />
        <Settings {...section} />
      </fieldset>
      <div className={classes.report} aria-busy={dryRun.isChecking}>
        {report === undefined && !dryRun.isChecking && dryRun.error === null && (
          <Text c="dimmed">
            Drop a file or paste numbers, and choose the number to call from. What the batch call would do is shown
            here; nothing is created before you start it.
          </Text>
        )}
        {report === undefined && dryRun.isChecking && reading}
        {dryRun.error !== null && (
          <Problem
            error={dryRun.error}
            title="The batch call is not valid yet"
            shownAtFields={problems.map(({ path }) => path).filter((path) => isShownAtField(path))}
          />
        )}
        {report !== undefined && <Report report={report} rule={rule} calls={calls} draft={draft} change={change} />}
        {report?.valid === true && calls !== null && draft.routingRuleId !== '' && (
          <TestCall
            calls={calls.filter(({ value }) => value.trim() !== '').slice(0, mostTestCalls)}
            phoneNumber={draft.phoneNumber}
            routingRuleId={draft.routingRuleId}
          />
        )}
        <StartBar
          {...{
            draft,
            report,
            failure,
            isPending,
            isCurrent: dryRun.isCurrent && twinsOf(draft, sheet?.headers ?? []).length === 0,
            problems,
            isChecking: dryRun.isChecking,
          }}
          onStart={start}
          onGiveUp={() => {
            renew();
            reset();
          }}
        />
      </div>
    </div>
  );
}

/** A new batch call, for those who may make one. */
export function NewBatchPage() {
  const mayOperate = useMayOperate();
  return (
    <Page title="New batch call" requests={requests}>
      {mayOperate ? (
        <NewBatch />
      ) : (
        <Alert color="gray">
          Your token may only read. To make a batch call, sign in with a token that may operate.
        </Alert>
      )}
    </Page>
  );
}
